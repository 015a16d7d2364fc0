"""Indexes on a guest's matches, and which game is offered for the next one."""

from django.db import migrations, models

SEATS = ("seat_1", "seat_2")


class Migration(migrations.Migration):
    dependencies = [("games", "0010_record_and_push")]

    operations = [
        # Processes of the version before may still insert matches, so the database has the default.
        migrations.AddField(
            "match",
            "rematch_game",
            models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        *(
            migrations.AddIndex(
                "match",
                models.Index(
                    fields=[seat], condition=models.Q(kept=False), name=f"not_kept_of_{seat}"
                ),
            )
            for seat in SEATS
        ),
        *(
            migrations.AddIndex(
                "match",
                models.Index(
                    fields=[seat, "ended", "serial"],
                    condition=models.Q(kept=True),
                    name=f"kept_of_{seat}",
                ),
            )
            for seat in SEATS
        ),
    ]
