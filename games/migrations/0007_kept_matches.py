"""Matches and guests that are kept for good, and indexes that leave them out.

The first sweep after this looks at all matches once, as every sweep did before.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0006_actions_without_ids")]

    operations = [
        migrations.RemoveIndex("match", "games_match_status_2510e2_idx"),
        migrations.AddField("match", "kept", models.BooleanField(default=False)),
        migrations.AddField("guest", "kept", models.BooleanField(default=False)),
        migrations.AddIndex(
            "match",
            models.Index(fields=["serial"], condition=models.Q(kept=False), name="match_not_kept"),
        ),
        migrations.AddIndex(
            "guest",
            models.Index(fields=["id"], condition=models.Q(kept=False), name="guest_not_kept"),
        ),
        *(
            migrations.AddIndex(
                "match",
                models.Index(
                    fields=[seat],
                    condition=models.Q(status="open", listed=True),
                    name=f"listed_by_{seat}",
                ),
            )
            for seat in ("seat_1", "seat_2")
        ),
    ]
