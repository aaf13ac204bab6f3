"""Look into one release: the table before and after, what it is worth, and whom the strongest attacks find."""

from __future__ import annotations

from typing import Any

from icefire.core.budget import Budget
from icefire.desk.tasks.data import assessed, data_of, kind_of, previewed, release_of, scores_of
from icefire.desk.tasks.pairs import pairs
from icefire.desk.worker import Work
from icefire.evaluation.assess import no_progress
from icefire.evaluation.assessment import Assessment

QUICK = 0.05
"""Minutes of one attack: somebody is waiting. What is decided on is attacked for longer."""
NAMED = 10
"""People and attacks that are listed."""


def look(work: Work) -> None:
    everybody = data_of(work)
    data = previewed(everybody, work.arguments["seed"])
    release = release_of(work, data)
    work.tell(
        pairs=pairs(release), lost=kind_of(work).emptied(release.secret), notes=kind_of(work).notes(release.secret)
    )
    work.tell(utility=scores_of(release.utility.values()))
    with Budget(QUICK).spent():
        result = assessed(work, release, [work.arguments["level"]], no_progress)
    # Rows of a sample have other numbers than those of the file.
    people = people_of(result) if data is everybody else []
    work.tell(attacks=attacks_of(result), people=people, chance=kind_of(work).chance(data.original))


def attacks_of(result: Assessment) -> list[dict[str, Any]]:
    """The strongest attacks of the attacker in question, and what each finds."""
    runs = [run for run in result.runs if run.level in result.required]
    scored = [(share, run) for run in runs if (share := result.found(run)) is not None]
    # Of an attack in several settings, the strongest.
    strongest = {run.attack.name: (share, run) for share, run in sorted(scored, key=lambda pair: pair[0])}
    scored = sorted(strongest.values(), key=lambda pair: -pair[0])
    return [
        {
            "attack": run.attack.step(),
            "what": run.attack.summary(),
            "method known": run.attack.knows_method,
            "level": run.level,
            "found": share,
            "interval": result.interval(run),
        }
        for share, run in scored[:NAMED]
    ]


def people_of(result: Assessment) -> list[dict[str, Any]]:
    """The people whom most attacks find, and what makes them stand out; none where the kind does not list them."""
    if not result.kind.lists_people or not result.levels:
        return []
    return result.kind.exposed(result, result.required[0], NAMED).to_dicts()
