"""Nothing: in version 0.1 this made the tables of accounts, which the web package now makes itself."""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    pass
