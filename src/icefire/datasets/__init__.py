"""Seeded generators that ship with icefire."""
