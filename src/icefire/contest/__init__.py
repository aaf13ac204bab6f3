"""The contest engine: everything that happens is an event, and everything shown is a function of events."""
