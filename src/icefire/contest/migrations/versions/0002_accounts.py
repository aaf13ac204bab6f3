"""Who may log in: accounts, sessions and tokens, and invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
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
