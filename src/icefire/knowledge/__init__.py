"""What one, two or three known facts give away, for any kind of data."""

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
