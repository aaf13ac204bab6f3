"""Everything that can happen in a contest, a class per event."""
