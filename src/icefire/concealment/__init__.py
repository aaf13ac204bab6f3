"""k-concealment (Tassa, Mazza, Gionis 2012): every record has at least k matches, without equivalence classes."""

from typing import Literal

Design = Literal["exchange", "ring", "tsp", "lsap", "flow"]
"""How complete designs are found: see `icefire.concealment.designs`."""
