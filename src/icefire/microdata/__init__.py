"""Microdata: one row per person."""
