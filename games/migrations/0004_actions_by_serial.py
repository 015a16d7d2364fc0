"""Actions refer to their match by a number that rises with time."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import games.models


def number_matches(apps: Any, schema_editor: Any) -> None:
    Match = apps.get_model("games", "Match")
    matches = Match.objects.order_by("created", "pk").values_list("pk", "created")
    for place, (pk, created) in enumerate(matches):
        # The matches of one millisecond are told apart by their place.
        serial = (int(created.timestamp() * 1000) << 21) + place % (1 << 21)
        Match.objects.filter(pk=pk).update(serial=serial)


def number_actions(apps: Any, schema_editor: Any) -> None:
    Match = apps.get_model("games", "Match")
    Action = apps.get_model("games", "Action")
    serial = Match.objects.filter(pk=models.OuterRef("match_id")).values("serial")
    Action.objects.update(of=models.Subquery(serial))


class Migration(migrations.Migration):
    dependencies = [("games", "0003_the_computer_is_a_guest")]

    operations = [
        migrations.AddField("match", "serial", models.BigIntegerField(null=True)),
        migrations.RunPython(number_matches, migrations.RunPython.noop),
        migrations.AlterField(
            "match",
            "serial",
            models.BigIntegerField(default=games.models.new_serial, editable=False, unique=True),
        ),
        migrations.AddField(
            "action",
            "of",
            models.ForeignKey(
                "games.match",
                django.db.models.deletion.CASCADE,
                to_field="serial",
                db_index=False,
                null=True,
                related_name="+",
            ),
        ),
        migrations.RunPython(number_actions, migrations.RunPython.noop),
        migrations.RemoveConstraint("action", "one_action_a_version"),
        migrations.RemoveConstraint("action", "one_action_an_id"),
        migrations.RemoveField("action", "match"),
        migrations.RenameField("action", "of", "match"),
        migrations.AlterField(
            "action",
            "match",
            models.ForeignKey(
                "games.match",
                django.db.models.deletion.CASCADE,
                to_field="serial",
                db_index=False,
                related_name="actions",
            ),
        ),
        migrations.AddConstraint(
            "action",
            models.UniqueConstraint(fields=["match", "version"], name="one_action_a_version"),
        ),
        migrations.AddConstraint(
            "action",
            models.UniqueConstraint(fields=["match", "seat", "client_id"], name="one_action_an_id"),
        ),
    ]
