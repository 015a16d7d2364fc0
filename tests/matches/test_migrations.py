"""A database of an earlier version keeps its matches and every move."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from games.matches import selectors


@pytest.mark.django_db(transaction=True)
def test_moves_stay_with_their_matches_when_they_refer_to_them_by_serial():
    executor = MigrationExecutor(connection)
    executor.migrate([("games", "0003_the_computer_is_a_guest")])
    old = executor.loader.project_state([("games", "0003_the_computer_is_a_guest")]).apps
    now = timezone.now()
    for name in ("aaaaaaaa", "bbbbbbbb", "cccccccc"):
        match = old.get_model("games", "Match").objects.create(
            pk=name, game="chain-factor", setup={}, status="live", series=name, started=now
        )
        for version in (1, 2):
            old.get_model("games", "Action").objects.create(
                match=match, version=version, seat=version, move=str(version), time=1.0
            )
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    kept = selectors.actions_of(["aaaaaaaa", "cccccccc"])
    assert [[action.move for action in actions] for actions in kept.values()] == [[1, 2]] * 2
    assert set(kept) == {"aaaaaaaa", "cccccccc"}
