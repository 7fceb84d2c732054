"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_TIME = sa.DateTime(timezone=True)


def _text(
    name: str, length: int, *more: sa.ForeignKey, primary_key: bool = False, nullable: bool = False
) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), *more, primary_key=primary_key, nullable=nullable)


def upgrade() -> None:
    """Makes settings, users, blobs, projects, items, runs and jobs."""
    op.create_table("settings", _text("name", 40, primary_key=True), _text("value", 400))
    op.create_table(
        "users",
        _text("name", 64, primary_key=True),
        _text("password", 300),
        _text("role", 10),
        sa.Column("created", _TIME, nullable=False),
    )
    op.create_table(
        "blobs",
        _text("digest", 64, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("created", _TIME, nullable=False),
    )
    op.create_table(
        "projects",
        _text("name", 64, primary_key=True),
        _text("author", 64),
        sa.Column("created", _TIME, nullable=False),
    )
    _items()
    _runs()
    _jobs()


def _items() -> None:
    op.create_table(
        "items",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        _text("project", 64, sa.ForeignKey("projects.name")),
        _text("kind", 10),
        _text("name", 64),
        sa.Column("version", sa.Integer, nullable=False),
        _text("digest", 64, sa.ForeignKey("blobs.digest")),
        _text("author", 64),
        sa.Column("created", _TIME, nullable=False),
        sa.UniqueConstraint("project", "kind", "name", "version"),
    )


def _runs() -> None:
    op.create_table(
        "runs",
        _text("id", 16, primary_key=True),
        _text("project", 64, sa.ForeignKey("projects.name"), nullable=True),
        _text("question", 20),
        _text("title", 200),
        _text("asked", 64, sa.ForeignKey("blobs.digest")),
        _text("answer", 64, sa.ForeignKey("blobs.digest")),
        sa.Column("versions", sa.JSON, nullable=False),
        _text("author", 64),
        sa.Column("created", _TIME, nullable=False),
    )
    op.create_index("runs_by_project", "runs", ["project", "created"])


def _jobs() -> None:
    op.create_table(
        "jobs",
        _text("id", 16, primary_key=True),
        _text("project", 64, sa.ForeignKey("projects.name"), nullable=True),
        _text("question", 20),
        _text("asked", 64, sa.ForeignKey("blobs.digest")),
        _text("state", 10),
        _text("owner", 40),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("beat", sa.Double, nullable=False),
        sa.Column("progress", sa.JSON, nullable=False),
        sa.Column("error", sa.JSON, nullable=False),
        _text("run", 16, nullable=True),
        _text("author", 64),
        sa.Column("created", _TIME, nullable=False),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "created"])
