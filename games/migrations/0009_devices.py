"""Devices of a guest, the links and codes that add one, and which of them were signed out."""

from typing import Any

from django.db import migrations, models
from django.db.models.deletion import CASCADE, SET_NULL


def key() -> "models.BigAutoField[Any, Any]":
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


def guest() -> "models.ForeignKey[Any, Any]":
    return models.ForeignKey("games.guest", on_delete=CASCADE, related_name="+")


class Migration(migrations.Migration):
    dependencies = [("games", "0008_chosen_names_and_pace")]

    operations = [
        # Processes of the version before may still insert guests, so the database has the default.
        migrations.AddField("guest", "signed_out", models.BigIntegerField(db_default=0, default=0)),
        migrations.AddField("guest", "signed_out_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "guest",
            "merged_into",
            models.ForeignKey(
                "games.guest", null=True, on_delete=SET_NULL, related_name="+", db_index=False
            ),
        ),
        *(
            migrations.AddIndex(
                "guest",
                models.Index(
                    fields=[field], condition=models.Q(**{f"{field}__isnull": False}), name=name
                ),
            )
            for field, name in (
                ("signed_out_at", "guest_signed_out"),
                ("merged_into", "guest_being_merged"),
            )
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", key()),
                (
                    "guest",
                    models.ForeignKey(
                        "games.guest", on_delete=CASCADE, related_name="devices", db_index=False
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("browser", models.CharField(blank=True, max_length=20)),
                ("system", models.CharField(blank=True, max_length=20)),
                ("created", models.DateField()),
                ("seen", models.DateField()),
            ],
        ),
        migrations.AddConstraint(
            "device",
            models.UniqueConstraint(fields=("guest", "number"), name="one_number_a_device"),
        ),
        migrations.CreateModel(
            name="FormerToken",
            fields=[
                ("id", key()),
                ("guest_id", models.BigIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "device",
                    models.ForeignKey(
                        "games.device", null=True, on_delete=SET_NULL, related_name="+"
                    ),
                ),
                ("since", models.DateField(db_index=True)),
            ],
        ),
        migrations.AddConstraint(
            "formertoken",
            models.UniqueConstraint(fields=("guest_id", "number"), name="one_former_token"),
        ),
        migrations.CreateModel(
            name="DeviceLink",
            fields=[
                ("id", key()),
                ("guest", guest()),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("expires", models.DateTimeField(db_index=True)),
                ("used", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                ("id", key()),
                ("guest", guest()),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created", models.DateField()),
            ],
        ),
    ]
