"""Japanese: English templates with their translations, by area."""

from icefire.words.ja import (
    cli,
    contest,
    core,
    desk,
    frames,
    games,
    history,
    history_methods,
    microdata,
    microdata_methods,
    options,
    otherwise,
    rulebook,
    study,
    synthetic,
    synthetic_methods,
    trace,
    trace_methods,
    validation,
)
from icefire.words.ja.labels import TERMS
from icefire.words.ja.labels import TEXTS as LABELS

SAID = (
    cli.TEXTS,
    options.TEXTS,
    core.TEXTS,
    desk.TEXTS,
    frames.TEXTS,
    microdata.TEXTS,
    microdata_methods.TEXTS,
    history.TEXTS,
    history_methods.TEXTS,
    trace.TEXTS,
    trace_methods.TEXTS,
    synthetic.TEXTS,
    synthetic_methods.TEXTS,
    contest.TEXTS,
    study.TEXTS,
    rulebook.TEXTS,
    games.TEXTS,
)
"""What the source says, each text once."""
OTHERS = {
    **otherwise.TEXTS,
    **validation.TEXTS,
    # Inside the files of contests they begin with a small letter.
    **{text[0].lower() + text[1:]: told for text, told in validation.TEXTS.items()},
}
MESSAGES = {**{text: told for texts in SAID for text, told in texts.items()}, **OTHERS}
__all__ = ["LABELS", "MESSAGES", "SAID", "TERMS"]
