"""Events of releases and guesses: what teams are dealt and send in, and what the judge finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pydantic import Field

from icefire.contest.events.base import Event, Item, PlaceEvent
from icefire.contest.events.standing import attacked, standing
from icefire.contest.measures import Measures, strongest
from icefire.contest.results import OPERATOR, shows_guesses
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
    against: str | None = None
    sha256: str
    bytes: int
    method: str = ""
    """What the team tells the audience about its method."""

    def apply(self, state: State) -> State:
        upload = Upload(
            id=self.upload,
            kind=self.kind,
            place=self.place,
            target=self.target,
            against=self.against,
            sha256=self.sha256,
            bytes=self.bytes,
            at=state.at,
            seq=state.seq,
            method=self.method,
        )
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
        upload = after.uploads[self.upload]
        place = upload.place
        item: Item = {"what": "released", "team": place.team, "set": place.dataset, **standing(after, place)}
        return item | _method(upload)


class MethodRemoved(Event):
    """The operator has taken back what a team told the audience about its method, wherever it has said the same."""

    log_name = "method_removed"
    allowed_when_final = True
    team: str
    method: str
    why: str

    def apply(self, state: State) -> State:
        cleared = {
            upload.id: replace(upload, method="")
            for upload in state.uploads.values()
            if (upload.team, upload.method) == (self.team, self.method)
        }
        return replace(state, uploads={**state.uploads, **cleared})


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
        published = {**state.published, self.place: handout}
        if self.place not in state.published:
            return replace(state, published=published)
        # Attacks on the release that it replaces say nothing about this one.
        guesses, baselines = (
            {target: cell for target, cell in attacks.items() if target.place != self.place}
            for attacks in (state.guesses, state.baselines)
        )
        return replace(state, published=published, guesses=guesses, baselines=baselines)


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
        upload = replace(state.uploads[self.upload], status="accepted", measures=self.cell)
        state = replace(state, uploads={**state.uploads, upload.id: upload})
        if upload.against not in (None, state.published[upload.attacked].upload):
            return state
        target = Target(upload.attacked, upload.team)
        best = strongest(state.guesses.get(target, {}), self.cell)
        return replace(state, guesses={**state.guesses, target: best})

    def tell(self, before: State, after: State) -> Item:
        upload = after.uploads[self.upload]
        place = upload.attacked
        feedback = after.contest.scoring_of(place.round_index).feedback
        if not shows_guesses(after, place.round_index, "public") and feedback == "none":
            item: Item = {"what": "answered", "attacker": upload.team, "team": place.team, "set": place.dataset}
        else:
            item = attacked(before, after, place, upload.team)
        return item | _method(upload)

    def tell_in_full(self, before: State, after: State) -> tuple[int, Item] | None:
        upload = after.uploads[self.upload]
        place = upload.attacked
        if shows_guesses(after, place.round_index, "public"):
            return None
        item = attacked(before, after, place, upload.team, OPERATOR)
        return place.round_index, item | _method(upload)


def _method(upload: Upload) -> Item:
    return {"method": upload.method} if upload.method else {}
