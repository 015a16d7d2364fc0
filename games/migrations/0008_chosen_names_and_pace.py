"""Names that guests choose, and the pace of a match.

The columns are added in place, also on SQLite, where Django would copy the whole table. The default
stays in the database, because processes of the earlier version may still be adding rows.
"""

from typing import Any

from django.db import migrations, models

COLUMNS = {
    ("games_guest", "chosen"): "varchar(120) NOT NULL DEFAULT ''",
    ("games_match", "pace"): "varchar(10) NOT NULL DEFAULT 'now'",
}


def add_columns(apps: Any, schema_editor: Any) -> None:
    for (table, name), kind in COLUMNS.items():
        schema_editor.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


def drop_columns(apps: Any, schema_editor: Any) -> None:
    for table, name in COLUMNS:
        schema_editor.execute(f"ALTER TABLE {table} DROP COLUMN {name}")


class Migration(migrations.Migration):
    dependencies = [("games", "0007_kept_matches")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add_columns, drop_columns)],
            state_operations=[
                migrations.AddField(
                    "guest",
                    "chosen",
                    models.CharField(blank=True, db_default="", default="", max_length=120),
                ),
                migrations.AddField(
                    "match",
                    "pace",
                    models.CharField(
                        choices=[("now", "Now"), ("no-hurry", "No Hurry")],
                        db_default="now",
                        default="now",
                        max_length=10,
                    ),
                ),
            ],
        )
    ]
