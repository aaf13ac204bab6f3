"""Histories: many records per person, released period by period."""
