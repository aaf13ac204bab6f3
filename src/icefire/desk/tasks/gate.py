"""May this month's release go out, after all that went out before? What `icefire gate --record` does."""

from __future__ import annotations

from icefire.desk.sessions import Session, write_document
from icefire.desk.tasks.data import REGISTRY
from icefire.desk.tasks.decide import RELEASE
from icefire.desk.worker import Work
from icefire.history.gate import judge
from icefire.history.gate_page import reason
from icefire.history.ledger import Ledger, combined, periods_of
from icefire.words import LANGUAGES

VERDICT = "gate.json"
SEED = 0


def gate(work: Work) -> None:
    session: Session = work.session
    ledger = Ledger(session.ledger)
    past = ledger.entries()
    release = REGISTRY.format("history", None).read_release(session.job(int(work.arguments["release"])) / RELEASE)
    everything, new = combined([*ledger.releases(), release]), periods_of(release)
    limit = float(work.arguments["limit"])
    verdict = judge(REGISTRY, past, everything, new, limit, SEED, lambda label: work.tell(now=label))
    entry = ledger.record(release, verdict.entry_curves()).folder if verdict.passes else None
    told = {
        "passes": verdict.passes,
        "emm": verdict.emm,
        "limit": limit,
        "recorded": entry,
        "short": {language: reason(verdict, language) for language in LANGUAGES},
        "curves": {
            name: [{"period": point.period, "value": point.value, "attack": point.attack} for point in curve]
            for name, curve in verdict.curves.items()
        },
    }
    write_document(work.folder / VERDICT, told)
