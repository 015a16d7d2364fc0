"""Records of guests, and their subscriptions to web push.

All new columns of matches may be NULL, so SQLite adds them without copying the table. The live
process counts the matches that are already there, in small steps.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def guest(**options: Any) -> "models.ForeignKey[Any, Any]":
    return models.ForeignKey(
        "games.guest", on_delete=django.db.models.deletion.CASCADE, related_name="+", **options
    )


def key() -> "models.BigAutoField[Any, Any]":
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0009_devices")]

    operations = [
        migrations.AddField("match", "tallied", models.BooleanField(null=True)),
        migrations.AddField("match", "accuracy_1", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("match", "accuracy_2", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("match", "told_1", models.PositiveIntegerField(null=True)),
        migrations.AddField("match", "told_2", models.PositiveIntegerField(null=True)),
        migrations.AddIndex(
            "match",
            models.Index(
                fields=["ended", "serial"],
                condition=models.Q(tallied__isnull=True, ended__isnull=False),
                name="match_not_tallied",
            ),
        ),
        migrations.CreateModel(
            "Tally",
            [
                ("id", key()),
                ("guest", guest(db_index=False)),
                ("game", models.CharField(max_length=40)),
                ("kind", models.CharField(max_length=20)),
                ("played", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
                ("run", models.PositiveIntegerField(default=0)),
                ("best_run", models.PositiveIntegerField(default=0)),
                ("accuracy_sum", models.PositiveIntegerField(default=0)),
                ("accuracy_count", models.PositiveIntegerField(default=0)),
                ("last", models.DateTimeField()),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(
                        fields=["guest", "game", "kind"], name="one_tally_a_kind"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            "TallyWeek",
            [
                ("id", key()),
                ("guest", guest(db_index=False)),
                ("week", models.DateField()),
                ("played", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(fields=["guest", "week"], name="one_tally_a_week")
                ]
            },
        ),
        migrations.CreateModel(
            "PushSubscription",
            [
                ("id", key()),
                ("guest", guest()),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("endpoint", models.CharField(max_length=1000)),
                ("p256dh", models.CharField(max_length=87)),
                ("auth", models.CharField(max_length=22)),
                ("language", models.CharField(max_length=10)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
            ],
        ),
    ]
