"""Migrations of tables by Alembic, in a transaction of the store."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config


def migrate(connection: sa.Connection, versions: Path, version_table: str) -> None:
    """Run the migrations in a folder that a database has not seen yet. Each package has a version table of its own."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    settings.set_main_option("version_locations", str(versions))
    settings.set_main_option("path_separator", "newline")
    settings.attributes.update(connection=connection, version_table=version_table)
    command.upgrade(settings, "head")
