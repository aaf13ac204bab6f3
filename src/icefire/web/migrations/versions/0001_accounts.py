"""Accounts, and the keys of sessions, tokens and invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    # Version 0.1 made these tables together with those of the contest.
    if sa.inspect(op.get_bind()).has_table("accounts"):
        return
    op.create_table(
        "accounts",
        sa.Column("login", sa.String(60), primary_key=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("team", sa.String(40)),
        sa.Column("password", sa.String(200), nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("login", sa.String(60)),
        sa.Column("team", sa.String(40)),
        sa.Column("expires", sa.String(40), nullable=False),
    )
