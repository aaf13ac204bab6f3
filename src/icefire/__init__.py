"""Is this personal data safe to hand out, and is it still worth having?

`icefire.table(frame, qi=[...])`, `icefire.records(frame, ...)`, `icefire.traces(...)` and `icefire.members(frame, ...)` take
your own frames, and `icefire.folder(path)` a working folder of the command line; `anonymize`, `attack`, `published` and
`report` follow from there. `icefire.Transformer` is a step of a scikit-learn Pipeline. The methods are in `icefire.microdata`,
`icefire.history`, `icefire.trace` and `icefire.synthetic`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = [
    "Data",
    "Findings",
    "Release",
    "Transformer",
    "__version__",
    "folder",
    "members",
    "records",
    "table",
    "traces",
]

if TYPE_CHECKING:
    from icefire.front import Data as Data
    from icefire.front import Findings as Findings
    from icefire.front import Release as Release
    from icefire.front import folder as folder
    from icefire.front import members as members
    from icefire.front import records as records
    from icefire.front import table as table
    from icefire.front import traces as traces
    from icefire.transformer import Transformer as Transformer


def __getattr__(name: str) -> object:
    # What takes long to import is imported when it is asked for.
    if name == "Transformer":
        from icefire.transformer import Transformer

        return Transformer
    if name in __all__:
        from icefire import front

        return getattr(front, name)
    raise AttributeError(f"module 'icefire' has no attribute {name!r}")
