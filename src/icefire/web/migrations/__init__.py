"""Migrations of the accounts' tables."""
