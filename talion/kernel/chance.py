"""Chance: the only source of randomness of a match.

The whole of it is one integer of state: a 128-bit key and a 64-bit count. Numbers come from a keyed hash in
counter mode, so nobody can predict the next die from those already seen, and the algorithm never changes: a seed
means the same match for ever.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from hashlib import blake2b
from struct import Struct
from typing import Any, TypeVar

_COUNT_BITS = 64
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_WORDS = 16  # 32-bit words in one 64-byte block, which is what the hash gives at a time
_words_of = Struct(f">{_WORDS}I").unpack
_key_made_of = Struct(">4I").pack
_SPAN = 1 << 32
_SURE = _SPAN - (1 << 16)
"""Words below this fit any number up to 65,536: none of them has to be drawn again for fairness."""

T = TypeVar("T")


def seeded(seed: int | str) -> int:
    """The chance that a seed stands for."""
    return int.from_bytes(_key_of(seed), "big") << _COUNT_BITS


def _key_of(seed: int | str) -> bytes:
    return blake2b(f"talion:{seed}".encode(), digest_size=16).digest()


class Chance:
    """A stream of random numbers that can be written down as one integer, `state`."""

    __slots__ = ("_block", "_key", "_words", "count")

    def __init__(self, state: int) -> None:
        self._key = (state >> _COUNT_BITS).to_bytes(16, "big")
        self.count = state & _COUNT_MASK
        """How many words have been drawn."""
        self._words: tuple[int, ...] = ()
        self._block = -1

    @classmethod
    def of(cls, seed: int | str) -> Chance:
        chance = cls.__new__(cls)
        chance._key, chance.count, chance._words, chance._block = _key_of(seed), 0, (), -1
        return chance

    @property
    def state(self) -> int:
        return int.from_bytes(self._key, "big") << _COUNT_BITS | self.count

    def copy(self) -> Chance:
        twin = Chance.__new__(Chance)
        twin._key, twin.count, twin._words, twin._block = self._key, self.count, self._words, self._block
        return twin

    def _word(self) -> int:
        """The next 32 random bits. Word number n is a function of key and n alone."""
        block, place = divmod(self.count, _WORDS)
        if block != self._block:
            self._fill(block)
        self.count += 1
        return self._words[place]

    def _fill(self, block: int) -> tuple[int, ...]:
        self._words = words = _words_of(blake2b(block.to_bytes(8, "big"), key=self._key).digest())
        self._block = block
        return words

    def below(self, n: int) -> int:
        """A number from 0 to n-1, every one equally likely."""
        if n <= 1:
            return 0
        if n > _SPAN:
            raise ValueError("chance deals in numbers up to 2**32")
        limit = _SPAN - _SPAN % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Every order equally likely: from the last place down, each gets one of those that are left."""
        need = len(things) - 1
        if need < 1:
            return
        numbers = self._ahead(need)
        if max(numbers) < _SURE:
            self.count += need
        else:
            numbers = tuple(Chance.below(self, i + 1) for i in range(need, 0, -1))
        left = len(things)
        for number in numbers:
            at = number % left
            left -= 1
            things[left], things[at] = things[at], things[left]

    def fork(self) -> Chance:
        """An independent stream, grown from this one."""
        twin = Chance.__new__(Chance)
        twin._key, twin.count, twin._words, twin._block = _key_made_of(*self._ahead(4)), 0, (), -1
        self.count += 4
        return twin

    def _ahead(self, need: int) -> tuple[int, ...]:
        """So many of the next words, which are not drawn by this."""
        block, place = divmod(self.count, _WORDS)
        words = (self._words if block == self._block else self._fill(block))[place : place + need]
        while len(words) < need:
            block += 1
            words += self._fill(block)[: need - len(words)]
        return words


class Unfit(Exception):  # noqa: N818
    """An outcome that was laid down and cannot be."""


class LaidDown(Chance):
    """Chance whose first outcomes are laid down beforehand, for scenarios.

    A number is what `below` gives next, a word what `pick` gives next, a list of names the top of the next pile shuffled.
    """

    __slots__ = ("rolls",)

    def __init__(self, state: int, rolls: Sequence[Any]) -> None:
        super().__init__(state)
        self.rolls = list(rolls)

    def copy(self) -> Chance:
        twin = LaidDown(self.state, self.rolls)
        return twin

    def below(self, n: int) -> int:
        if self.rolls and isinstance(self.rolls[0], int):
            laid: int = self.rolls.pop(0)
            if not 0 <= laid < n:
                raise Unfit(f"a laid-down outcome of {laid} does not fit: 0 to {n - 1} are possible")
            return laid
        return super().below(n)

    def pick(self, things: Sequence[T]) -> T:
        if self.rolls and isinstance(self.rolls[0], str):
            laid = self.rolls.pop(0)
            if laid not in things:
                raise Unfit(f"a laid-down outcome of {laid} does not fit: {things} are possible")
            return things[things.index(laid)]
        return super().pick(things)

    def arrange(self, things: MutableSequence[Any], name: Callable[[Any], str]) -> None:
        """Puts the things with the laid-down names on top (at the end), the first name topmost."""
        if self.rolls and isinstance(self.rolls[0], list):
            for wanted in reversed(self.rolls.pop(0)):
                found = next((thing for thing in things if name(thing) == wanted), None)
                if found is None:
                    raise Unfit(f"a laid-down shuffle wants {wanted}, which is not there")
                things.remove(found)
                things.append(found)
