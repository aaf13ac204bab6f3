"""The random digits of a seed, as Ruby draws them: the secret part of the contest of 2023, which the judge can check."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DIGITS = 10
UNLIKE = range(1 << 32, 1 << 33)
"""Seeds from which versions of Ruby draw different digits.

Ruby cuts a seed into words of 32 bits and drops a leading word of 1. One word is then left of these seeds: Ruby 3.1
seeds the generator with it as a number (`init_genrand`), Ruby 3.3 as an array of one word (`init_by_array`).
"""
AHEAD = 1 << 16
WORD = 0xFFFFFFFF


class _Twister:
    """`Random.new(seed).rand(limit)` of Ruby: the Mersenne Twister, and numbers drawn again while they are too large."""

    def __init__(self, seed: int) -> None:
        words = []
        while True:
            words.append(seed & WORD)
            seed >>= 32
            if not seed:
                break
        # Ruby takes a leading word of 1 for a guard, and drops it.
        if len(words) > 1 and words[-1] == 1:
            words.pop()
        self._source = np.random.RandomState(words if len(words) > 1 else words[0])
        self._words: NDArray[np.uint32] = np.zeros(0, dtype=np.uint32)

    def _more(self, number: int) -> None:
        self._words = np.concatenate([self._words, self._source.randint(0, WORD + 1, number, dtype=np.uint32)])

    def many(self, number: int) -> NDArray[np.int64]:
        """So many digits."""
        found = np.zeros(0, dtype=np.int64)
        while found.size < number:
            if not self._words.size:
                self._more(AHEAD)
            low = (self._words & 15).astype(np.int64)
            good = np.flatnonzero(low < DIGITS)[: number - found.size]
            found = np.concatenate([found, low[good]])
            used = int(good[-1]) + 1 if found.size == number and good.size else self._words.size
            self._words = self._words[used:]
        return found

    def skip(self, limits: NDArray[np.int64]) -> None:
        """Draw a number below each limit."""
        masks = (1 << np.ceil(np.log2(limits)).astype(np.int64)) - 1
        place, words, size = 0, self._words, limits.size
        at = 0
        while at < size:
            if place == words.size:
                self._words = words[:0]
                self._more(AHEAD)
                words, place = self._words, 0
            if int(words[place]) & int(masks[at]) < int(limits[at]):
                at += 1
            place += 1
        self._words = words[place:]


def secret_digits(seed: int, rows: int, columns: int) -> NDArray[np.int64]:
    """The secret part of a table: two tables of digits of the seed, added.

    The organizers' program draws a permutation after each of the two, and does not apply it; the draws count all the same.

    >>> secret_digits(1, 2, 3).tolist()
    [[2, 4, 8], [7, 4, 5]]
    """
    source = _Twister(seed)
    limits = np.arange(rows, 1, -1)
    total = np.zeros((rows, columns), dtype=np.int64)
    for _ in range(2):
        total += source.many(rows * columns).reshape(rows, columns)
        source.skip(limits)
    return total % DIGITS
