"""Events of jobs that failed."""

from __future__ import annotations

from dataclasses import replace

from icefire.contest.events.base import Event
from icefire.contest.state import Alarm, State


class AlarmRaised(Event):
    """A job failed. What went wrong is in a file of the operator."""

    log_name = "alarm"
    reference: str
    job: str
    message: str

    def apply(self, state: State) -> State:
        alarm = Alarm(self.reference, self.job, self.message, state.at)
        return replace(state, alarms={**state.alarms, alarm.reference: alarm})


class AlarmResolved(Event):
    """The operator lets a failed job run again, or gives it up."""

    log_name = "alarm_resolved"
    reference: str
    why: str

    def apply(self, state: State) -> State:
        alarm = replace(state.alarms[self.reference], resolved=True)
        return replace(state, alarms={**state.alarms, alarm.reference: alarm})
