"""Rename the column by which an action refers to its match: it holds the serial, not the id.

In plain SQL: on SQLite, Django would copy the whole table to rename a foreign key's column.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_actions_by_serial")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE games_action RENAME COLUMN match_id TO match_serial",
            "ALTER TABLE games_action RENAME COLUMN match_serial TO match_id",
            state_operations=[
                migrations.AlterField(
                    "action",
                    "match",
                    models.ForeignKey(
                        "games.match",
                        django.db.models.deletion.CASCADE,
                        to_field="serial",
                        db_column="match_serial",
                        db_index=False,
                        related_name="actions",
                    ),
                ),
            ],
        ),
    ]
