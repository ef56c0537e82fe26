"""Forms, as our own pages send them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, TypeVar

import msgspec

from talion.table import acts
from talion.table.asking import Asked, house_of, person_of
from talion.table.refusal import Refusal
from talion.table.tokens import hashed

G = TypeVar("G", bound=acts.Given)
_fields = cache(msgspec.structs.fields)


async def read_form(request: Asked) -> dict[str, str]:
    """A posted form, if one of our own pages made it."""
    form = {key: str(value) for key, value in (await request.form()).items()}
    if not house_of(request).signer.guards(person_of(request), form.pop("guard", "")):
        raise Refusal(
            "This form was not made by this page, or your cookie is gone. Reload the page.", status=403
        )
    return form


def filled_in(form: dict[str, str], given: type[G]) -> G:
    """What an act is given, from a form: yes and no, numbers, an option as JSON; what is left empty is not given. The
    key of a form is made of all it says, so that one sent twice is one."""
    said = json.dumps(sorted(form.items()))
    values: dict[str, Any] = {}
    for field in _fields(given):
        text = form.get(field.name, "")
        if field.name == "key":
            values["key"] = f"page-{hashed(said)[:24]}"
        elif field.type is bool:
            values[field.name] = text == "yes"
        elif field.name == "option":
            values["option"] = _option(text)
        elif text:
            values[field.name] = text
    return msgspec.convert(values, given, strict=False)


def _option(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Refusal("That is not an answer.", status=400) from None
