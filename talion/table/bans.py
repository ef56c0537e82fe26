"""Who is kept out of the house: a person, by the hash of their token, or an address."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from talion.table.limits import neighbourhood
from talion.table.refusal import Unusable

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
KEPT_OUT = "You are kept out of this house."


def of_person(token_hash: str) -> str:
    """How a ban names somebody."""
    return f"person {token_hash}"


def of_address(text: str) -> str:
    """How a ban names an address, or a whole network; of IPv6 at least the network that one customer has."""
    try:
        network = ipaddress.ip_network(neighbourhood(text), strict=False)
    except ValueError:
        raise Unusable(f"{text} is no address and no network; a person is named by TABLE and SEAT.") from None
    return f"address {network}"


class Bans:
    """Those that are in force, as this process last read them."""

    def __init__(self, whom: Iterable[tuple[str, str]] = ()) -> None:
        self._people: dict[str, str] = {}
        self._networks: list[tuple[Network, str]] = []
        for name, why in whom:
            kind, _, value = name.partition(" ")
            if kind == "person":
                self._people[value] = why
            else:
                self._networks.append((ipaddress.ip_network(value), why))

    def why(self, person: str, address: str) -> str | None:
        """What somebody is told who is kept out; none for everybody else."""
        found = self._people.get(person)
        if found is None and self._networks:
            found = self._of_network(address)
        return None if found is None else f"{KEPT_OUT} {found}".strip()

    def _of_network(self, address: str) -> str | None:
        try:
            here = ipaddress.ip_network(address)
        except ValueError:
            return None
        return next((why for network, why in self._networks if _within(here, network)), None)


def _within(here: Network, network: Network) -> bool:
    return here.version == network.version and here.subnet_of(network)  # type: ignore[arg-type]
