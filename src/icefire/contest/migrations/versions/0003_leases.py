"""Jobs that workers have taken, in place of the workers that are alive."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.drop_table("workers")
    op.create_table(
        "leases",
        sa.Column("job", sa.String(300), primary_key=True),
        sa.Column("worker", sa.String(100), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
    )
