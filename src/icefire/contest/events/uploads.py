"""Events of releases and guesses: what teams are dealt and send in, and what the judge finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pydantic import Field

from icefire.contest.events.base import Event, Item, PlaceEvent
from icefire.contest.events.standing import attacked, standing
from icefire.contest.measures import Measures, strongest
from icefire.contest.results import shows_guesses
from icefire.contest.state import Decision, Evidence, Handout, Problem, State, Target, Upload, UploadKind


class Dealt(PlaceEvent):
    """A team was dealt its data."""

    log_name = "dealt"
    sha256: str
    summary: Mapping[str, int] = Field(default_factory=dict)
    """The size of the data in a few numbers."""

    def apply(self, state: State) -> State:
        return replace(state, dealt={**state.dealt, self.place: Problem(self.sha256, self.summary)})


class Uploaded(PlaceEvent):
    """A team's file was accepted for judging."""

    log_name = "uploaded"
    upload: str
    kind: UploadKind
    target: str | None
    sha256: str
    bytes: int

    def apply(self, state: State) -> State:
        upload = Upload(self.upload, self.kind, self.place, self.target, self.sha256, self.bytes, state.at, state.seq)
        return replace(state, uploads={**state.uploads, upload.id: upload})


class Rejected(Event):
    """The judge found faults in an upload. It uses no try."""

    log_name = "rejected"
    upload: str
    faults: tuple[str, ...]

    def apply(self, state: State) -> State:
        upload = replace(state.uploads[self.upload], status="rejected", faults=self.faults)
        return replace(state, uploads={**state.uploads, upload.id: upload})


class Accepted(Event):
    """A release is valid, and was measured."""

    log_name = "accepted"
    upload: str
    measures: Measures

    def apply(self, state: State) -> State:
        upload = replace(state.uploads[self.upload], status="accepted", measures=self.measures)
        before = state.releases.get(upload.place)
        # Jobs may end in another order than uploads came in: the latest upload counts.
        later = before is None or state.uploads[before].seq < upload.seq
        return replace(
            state,
            uploads={**state.uploads, upload.id: upload},
            releases={**state.releases, upload.place: upload.id} if later else state.releases,
        )

    def tell(self, before: State, after: State) -> Item:
        place = after.uploads[self.upload].place
        return {"what": "released", "team": place.team, "set": place.dataset, **standing(after, place)}


class Flagged(PlaceEvent):
    """A release looks like a cheat; the operator has to rule on it."""

    log_name = "flagged"
    upload: str
    evidence: Evidence

    def apply(self, state: State) -> State:
        return replace(state, flags={**state.flags, self.place: (self.upload, self.evidence)})


class Ruled(PlaceEvent):
    """The operator has ruled on a release."""

    log_name = "ruled"
    upload: str
    decision: Decision
    why: str

    def apply(self, state: State) -> State:
        return replace(state, rulings={**state.rulings, self.place: (self.upload, self.decision)})

    def tell(self, before: State, after: State) -> Item:
        return {"what": self.log_name, "team": self.team, "set": self.dataset, "decision": self.decision}


class Published(PlaceEvent):
    """A release was shuffled and is ready to be handed out."""

    log_name = "published"
    upload: str
    sha256: str
    questions: Mapping[str, str] = Field(default_factory=dict)

    def apply(self, state: State) -> State:
        handout = Handout(self.upload, self.sha256, self.questions)
        return replace(state, published={**state.published, self.place: handout})


class BaselineScored(PlaceEvent):
    """The judge has attacked a release."""

    log_name = "baseline_scored"
    attack: str
    cell: Measures

    def apply(self, state: State) -> State:
        return replace(state, baselines={**state.baselines, Target(self.place, self.attack): self.cell})

    def tell(self, before: State, after: State) -> Item | None:
        item = attacked(before, after, self.place, f"*{self.attack}")
        # A baseline that changes nothing is no news.
        return None if item["what"] == "held" else item


class GuessScored(Event):
    """A team's guess was scored."""

    log_name = "guess_scored"
    upload: str
    cell: Measures

    def apply(self, state: State) -> State:
        upload = replace(state.uploads[self.upload], status="accepted")
        target = Target(upload.attacked, upload.team)
        best = strongest(state.guesses.get(target, {}), self.cell)
        return replace(state, uploads={**state.uploads, upload.id: upload}, guesses={**state.guesses, target: best})

    def tell(self, before: State, after: State) -> Item:
        upload = after.uploads[self.upload]
        place = upload.attacked
        if not shows_guesses(after, place.round_index, "public") and after.contest.scoring.feedback == "none":
            return {"what": "answered", "attacker": upload.team, "team": place.team, "set": place.dataset}
        return attacked(before, after, place, upload.team)
