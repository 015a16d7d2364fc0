"""A database from an earlier version keeps its matches and every move."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.matches import action_log, selectors, services
from games.matches.action_log import Conflict, Writing
from games.matches.identity import Who
from games.matches.selectors import StoredAction
from games.models import Guest, Match


@pytest.fixture
def migrate():
    """Return a function that migrates to an earlier version; afterwards, migrate to the newest."""

    def to(name=None):
        executor = MigrationExecutor(connection)
        targets = [("games", name)] if name else executor.loader.graph.leaf_nodes()
        executor.migrate(targets)
        return executor.loader.project_state(targets).apps

    yield to
    to()


@pytest.mark.django_db(transaction=True)
def test_moves_keep_their_match_when_they_switch_to_serials(migrate):
    old = migrate("0003_the_computer_is_a_guest")
    now = timezone.now()
    for name in ("aaaaaaaa", "bbbbbbbb", "cccccccc"):
        match = old.get_model("games", "Match").objects.create(
            pk=name, game="chain-factor", setup={}, status="live", series=name, started=now
        )
        for version in (1, 2):
            old.get_model("games", "Action").objects.create(
                match=match, version=version, seat=version, move=str(version), time=1.0
            )
    migrate()
    kept = selectors.actions_of(["aaaaaaaa", "cccccccc"])
    assert [[action.move for action in actions] for actions in kept.values()] == [[1, 2]] * 2
    assert set(kept) == {"aaaaaaaa", "cccccccc"}


@pytest.mark.django_db(transaction=True)
def test_the_serial_column_is_renamed_in_place_in_both_directions(migrate):
    """On SQLite the table must not be copied, because that would take long with many moves."""
    match, _ = services.create_match(guest=services.new_guest(), game="chain-factor")
    action = StoredAction(1, 1, 6, None, "a", 1.0)
    action_log.write_actions([Writing(match.serial, [action], None)])
    migrate("0005_match_serial")
    steps = (("0004_actions_by_serial", "match_id"), ("0005_match_serial", "match_serial"))
    for name, column in steps:
        with CaptureQueriesContext(connection) as queries:
            migrate(name)
        statements = [query["sql"] for query in queries if "games_action" in query["sql"]]
        assert len(statements) == 1, statements
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {column} FROM games_action")
            assert cursor.fetchall() == [(match.serial,)]
    migrate()
    assert selectors.actions_of([match.pk]) == {match.pk: [action]}
    with pytest.raises(Conflict):
        action_log.write_actions([Writing(match.serial, [action], None)])


@pytest.mark.django_db(transaction=True)
def test_names_and_paces_are_added_in_place_and_old_processes_can_still_add_rows(migrate):
    """On SQLite the table must not be copied, because that would take long with many matches."""
    old = migrate("0007_kept_matches")
    guests, matches = old.get_model("games", "Guest"), old.get_model("games", "Match")
    guests.objects.create(pk=1, name="Sleepy Marten")
    with CaptureQueriesContext(connection) as queries:
        migrate("0008_chosen_names_and_pace")
    statements = [query["sql"] for query in queries if "ALTER TABLE" in query["sql"]]
    assert len(statements) == 2, statements
    assert not [
        query["sql"]
        for query in queries
        if "INSERT INTO" in query["sql"]
        if "new__" in query["sql"]
    ]
    # As an old process would, which doesn't know the columns.
    guests.objects.create(pk=2, name="Keen Otter")
    matches.objects.create(pk="aaaaaaaa", game="chain-factor", setup={}, series="a", serial=1)
    migrate("0007_kept_matches")
    migrate()
    assert set(Guest.objects.values_list("name", "chosen")) == {
        ("Sleepy Marten", ""),
        ("Keen Otter", ""),
    }
    assert Match.objects.get().pace == Match.Pace.NOW


@pytest.mark.django_db(transaction=True)
def test_guests_keep_their_seats_when_they_get_devices(migrate):
    old = migrate("0007_kept_matches")
    guest = old.get_model("games", "Guest").objects.create(name="Ada")
    old.get_model("games", "Match").objects.create(
        pk="aaaaaaaa", game="chain-factor", setup={}, series="aaaaaaaa", seat_1=guest
    )
    migrate()
    row = selectors.match_row("aaaaaaaa")
    assert row.seats_of(Who(guest.pk)) == (1,)
    assert (row.seat_1.signed_out, row.seat_1.is_leaving) == (0, False)


@pytest.mark.django_db
def test_reading_actions_does_not_join_twice_for_the_serial():
    with CaptureQueriesContext(connection) as queries:
        selectors.actions_of(["aaaaaaaa"])
        action_log.is_written(Writing(1, [StoredAction(1, 1, 6, None, "a", 1.0)], None))
    assert [query["sql"].count("JOIN") for query in queries] == [1, 0]
