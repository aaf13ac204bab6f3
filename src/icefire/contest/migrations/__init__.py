"""How the tables of a contest have changed from version to version (Alembic)."""
