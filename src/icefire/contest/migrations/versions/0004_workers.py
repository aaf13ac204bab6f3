"""Workers that are alive, and since when they have had their jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "workers", sa.Column("worker", sa.String(100), primary_key=True), sa.Column("seen", sa.Float, nullable=False)
    )
    op.add_column("leases", sa.Column("began", sa.Float, nullable=False, server_default="0"))
