"""Randomness: always from a seed, never global.

The seed of an anonymization is part of the release's secret: with it, the noise can be subtracted and the
shuffle undone. So it is drawn from the operating system unless the caller gives one.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

from icefire.core.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def fresh_seed() -> int:
    """An unpredictable seed from the operating system."""
    return secrets.randbits(63)


def generator(seed: int, *path: str | int) -> np.random.Generator:
    """An independent stream for each (seed, path), the same on every machine.

    >>> bool(generator(1, "sort").integers(100) == generator(1, "sort").integers(100))
    True
    """
    # Every command imports this module, and most of them only to print help: numpy waits until it is needed.
    import numpy as np

    if seed < 0:
        raise ParameterError.of("generator", "seed", "an integer of at least 0", seed)
    digest = hashlib.sha256("\x1f".join(str(part) for part in path).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words])))


def chosen_people(total: int, wanted: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The positions of a random sample of people, sorted; all of them if there are no more than wanted."""
    chosen = rng.permutation(total)[:wanted]
    chosen.sort()
    return chosen
