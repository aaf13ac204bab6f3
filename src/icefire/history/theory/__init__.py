"""Expected cost of dummy records, before they are made."""
