"""Who somebody is: a random token in a signed cookie, known to the database by its hash alone."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from functools import cached_property

NAME_LENGTH = 24
TITLE_LENGTH = 80
JOINERS = "\u200c\u200d"  # unseen, but some scripts and emoji need them


@dataclass(frozen=True)
class Person:
    """Somebody at a browser, or a program. The token is theirs alone; the name is what others see."""

    token: str
    name: str = ""

    @cached_property
    def hash(self) -> str:
        return hashed(self.token)


def new_token() -> str:
    return secrets.token_urlsafe(24)


def new_id(size: int = 9) -> str:
    """A public name for a table or a seat: hard to guess, easy to link to, and starting with a letter."""
    return "t" + secrets.token_hex(size)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def derived(token: str, purpose: str) -> str:
    """A link's secret made from its owner's token: the owner can be shown it again, the database cannot."""
    mac = hmac.digest(token.encode(), purpose.encode(), "sha256")
    return base64.urlsafe_b64encode(mac[:18]).decode()


def cleaned(text: str, longest: int) -> str:
    """What somebody wrote, as others will see it and any database can keep it: printable, one line, not too long."""
    kept = "".join(c for c in text if c.isprintable() or c.isspace() or c in JOINERS)
    return " ".join(kept.split())[:longest].strip()


def clean_name(name: str) -> str:
    return cleaned(name, NAME_LENGTH)


class Signer:
    """Signs cookies and makes the values that guard forms. Its key lives in the database."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def seal(self, person: Person) -> str:
        """The cookie."""
        body = base64.urlsafe_b64encode(json.dumps([person.token, person.name]).encode()).decode()
        return f"{body}.{self._mac('cookie', body)}"

    def open(self, cookie: str | None) -> Person | None:
        """The person of a cookie, or nobody if it was not made here."""
        body, dot, mac = (cookie or "").rpartition(".")
        if not dot or not hmac.compare_digest(mac.encode(), self._mac("cookie", body).encode()):
            return None
        token, name = json.loads(base64.urlsafe_b64decode(body))
        return Person(token, name)

    def guard(self, person: Person) -> str:
        """The value a form must carry, so that another site cannot post in this person's name."""
        return self._mac("form", person.token)

    def guards(self, person: Person, value: str) -> bool:
        return hmac.compare_digest(value.encode(), self.guard(person).encode())

    def _mac(self, purpose: str, body: str) -> str:
        mac = hmac.digest(self._key, f"{purpose}:{body}".encode(), "sha256")
        return base64.urlsafe_b64encode(mac[:24]).decode()
