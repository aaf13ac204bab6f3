"""Identification risk from partial knowledge: how well an attacker identifies users by a few known facts."""

from icefire.knowledge.curve import CurvePoint, identification_curve
from icefire.knowledge.identification import (
    Identification,
    dangerous_values,
    exposed_users,
    identification,
    identification_of_sets,
)

__all__ = [
    "CurvePoint",
    "Identification",
    "dangerous_values",
    "exposed_users",
    "identification",
    "identification_curve",
    "identification_of_sets",
]
