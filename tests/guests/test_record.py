"""A guest's record: counted once, added up right, and read with one query."""

from datetime import UTC, date, datetime, timedelta
from itertools import count
from threading import Thread

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.guests import record, tallies
from games.matches import action_log, services
from games.matches.action_log import Writing
from games.matches.selectors import StoredAction
from games.models import Guest, Match, Tally, TallyWeek

pytestmark = pytest.mark.django_db(transaction=True)

START = datetime(2026, 11, 2, 12, tzinfo=UTC)  # a Monday
_minutes = count()


@pytest.fixture(autouse=True)
def now(monkeypatch):
    monkeypatch.setattr(tallies.timezone, "now", lambda: START + timedelta(days=10))


def guests(number=2):
    return [Guest.objects.create(name=f"Guest {index}") for index in range(number)]


def finish(match, winner, seats=(1, 2), decision=None, ended=None):
    """Let these seats move, and end the match."""
    moves = [
        StoredAction(version, seat, 6, None, f"c{version}", 1.0)
        for version, seat in enumerate(seats, 1)
    ]
    if decision:
        by = 3 - winner if decision == "resign" else winner
        moves.append(StoredAction(len(moves) + 1, by, None, decision, "d", 1.0))
    if not moves:
        moves = [StoredAction(1, 3 - winner, None, "resign", "d", 1.0)]
    action_log.write_actions([Writing(match.serial, moves, winner)])
    ended = ended or START + timedelta(minutes=next(_minutes))
    Match.objects.filter(pk=match.pk).update(ended=ended)
    return match


def between(one, two, winner, game="chain-factor", **how):
    match, _ = services.create_match(guest=one, game=game, starts="me")
    services.join_match(match_id=match.pk, guest=two)
    return finish(match, winner, **how)


def against(guest, level, winner, **how):
    match, _ = services.create_match(guest=guest, game="chain-factor", computer=level, starts="me")
    return finish(match, winner, **how)


def tally_all():
    total = 0
    while counted := tallies.step():
        total += counted
    return total


def test_a_match_counts_for_both_players_and_only_once():
    one, two = guests()
    between(one, two, winner=1)
    assert tally_all() == 1
    assert tally_all() == 0
    won = {
        "played": 1,
        "won": 1,
        "win_rate": 100,
        "longest_run": 1,
        "accuracy": None,
        "best_level": None,
    }
    kinds = {"people": {**won, "run": 1}}
    del kinds["people"]["best_level"]
    assert record.record_of(one.pk) == {"chain-factor": {**won, "kinds": kinds}}
    lost = record.record_of(two.pk)["chain-factor"]
    assert (lost["played"], lost["won"], lost["win_rate"], lost["longest_run"]) == (1, 0, 0, 0)


def test_games_and_kinds_of_opponents_are_counted_apart():
    one, two = guests()
    between(one, two, winner=1)
    between(one, two, winner=2, game="number-tower-duel")
    against(one, "casual", winner=1)
    against(one, "beginner", winner=1)
    against(one, "perfect", winner=2)
    tally_all()
    found = record.record_of(one.pk)
    assert list(found) == ["number-tower-duel", "chain-factor"]
    assert list(found["chain-factor"]["kinds"]) == ["people", "beginner", "casual", "perfect"]
    assert (found["chain-factor"]["played"], found["chain-factor"]["won"]) == (4, 3)
    assert found["chain-factor"]["best_level"] == "casual"
    assert found["number-tower-duel"]["best_level"] is None


def test_the_computer_has_no_record():
    (one,) = guests(1)
    against(one, "casual", winner=2)
    tally_all()
    assert [tally.guest_id for tally in Tally.objects.all()] == [one.pk]


def test_runs_of_wins_follow_the_order_in_which_matches_ended():
    one, two = guests()
    for day, winner in ((5, 1), (1, 1), (3, 2), (2, 1), (4, 1), (6, 1)):
        between(one, two, winner=winner, ended=START + timedelta(days=day))
    tally_all()
    tally = Tally.objects.get(guest=one)
    assert (tally.run, tally.best_run) == (3, 3)
    assert tally.last == START + timedelta(days=6)
    tally = Tally.objects.get(guest=two)
    assert (tally.run, tally.best_run) == (0, 1)


def test_runs_go_on_from_one_step_to_the_next(monkeypatch):
    monkeypatch.setattr(tallies, "COUNTED_AT_ONCE", 2)
    one, two = guests()
    for _ in range(5):
        between(one, two, winner=1)
    assert [tallies.step() for _ in range(4)] == [2, 2, 1, 0]
    assert Tally.objects.get(guest=one).run == 5


@pytest.mark.parametrize("decision", ["resign", "claim"])
def test_resigned_and_claimed_matches_count(decision):
    one, two = guests()
    between(one, two, winner=2, decision=decision)
    tally_all()
    assert record.record_of(two.pk)["chain-factor"]["won"] == 1
    assert record.record_of(one.pk)["chain-factor"]["played"] == 1


def test_a_match_counts_only_for_those_who_moved():
    one, two = guests()
    between(one, two, winner=1, seats=(1,), decision="resign")
    between(one, two, winner=1, seats=())
    tally_all()
    assert record.record_of(one.pk)["chain-factor"]["played"] == 1
    assert record.record_of(two.pk) == {}


def test_matches_on_one_device_do_not_count():
    (one,) = guests(1)
    match, _ = services.create_match(guest=one, game="chain-factor", same_device=True)
    finish(match, 1)
    assert tally_all() == 1
    assert record.record_of(one.pk) == {}


def test_open_and_running_matches_wait_and_cancelled_ones_count_for_nobody():
    one, two = guests()
    running, _ = services.create_match(guest=one, game="chain-factor", starts="me")
    services.join_match(match_id=running.pk, guest=two)
    cancelled, _ = services.create_match(guest=one, game="chain-factor")
    services.cancel_invitation(match_id=cancelled.pk, guest=one)
    assert tally_all() == 1
    assert record.record_of(one.pk) == {}
    finish(running, 1)
    assert tally_all() == 1
    assert record.record_of(one.pk)["chain-factor"]["won"] == 1


def test_a_crash_in_the_middle_of_a_step_counts_nothing(monkeypatch):
    one, two = guests()
    between(one, two, winner=1)

    def crash(_shares):
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(tallies, "_add_weeks", crash)
        with pytest.raises(RuntimeError):
            tallies.step()
    assert not Tally.objects.exists()
    assert tally_all() == 1
    assert Tally.objects.get(guest=one).played == 1


def test_processes_that_count_at_the_same_time_count_every_match_once():
    one, two = guests()
    for _ in range(30):
        between(one, two, winner=1)

    def work():
        try:
            tally_all()
        finally:
            connection.close()

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tally_all()
    assert Tally.objects.get(guest=one).played == 30
    assert Tally.objects.get(guest=one).best_run == 30
    assert sum(TallyWeek.objects.filter(guest=one).values_list("played", flat=True)) == 30


# --- Accuracy -----------------------------------------------------------------------------------

REVIEWED = ({"kept": 2, "mattered": 3}, {"kept": 0, "mattered": 0})


@pytest.mark.parametrize("first", ["review", "tally"])
def test_accuracy_counts_once_whichever_comes_first(first):
    one, two = guests()
    match = between(one, two, winner=1)
    if first == "tally":
        tally_all()
    tallies.note_accuracy(match.pk, REVIEWED)
    tallies.note_accuracy(match.pk, ({"kept": 0, "mattered": 3}, {"kept": 0, "mattered": 0}))
    tally_all()
    assert record.record_of(one.pk)["chain-factor"]["accuracy"] == 67
    # None of their choices mattered.
    assert record.record_of(two.pk)["chain-factor"]["accuracy"] is None
    match.refresh_from_db()
    assert (match.accuracy_1, match.accuracy_2) == (67, None)


def test_accuracy_is_the_average_over_the_reviewed_matches():
    one, two = guests()
    for kept in (0, 1):
        match = between(one, two, winner=1)
        tallies.note_accuracy(match.pk, ({"kept": kept, "mattered": 1}, REVIEWED[1]))
    between(one, two, winner=1)
    tally_all()
    assert record.record_of(one.pk)["chain-factor"]["accuracy"] == 50


def test_accuracy_on_one_device_or_in_an_unfinished_match_is_not_noted():
    one, two = guests()
    alone, _ = services.create_match(guest=one, game="chain-factor", same_device=True)
    finish(alone, 1)
    running, _ = services.create_match(guest=one, game="chain-factor")
    services.join_match(match_id=running.pk, guest=two)
    for match in (alone, running):
        tallies.note_accuracy(match.pk, REVIEWED)
    tallies.note_accuracy("22222222", REVIEWED)
    assert not Match.objects.exclude(accuracy_1=None).exists()


# --- Weeks --------------------------------------------------------------------------------------


def test_weeks_begin_on_monday_and_have_no_gaps():
    one, two = guests()
    for day, winner in ((0, 1), (6, 2), (7, 1)):
        between(one, two, winner=winner, ended=START + timedelta(days=day))
    tally_all()
    weeks = record.weeks_of(one.pk, START + timedelta(days=14), 4)
    assert weeks == [
        (date(2026, 10, 26), 0, 0),
        (date(2026, 11, 2), 2, 1),
        (date(2026, 11, 9), 1, 1),
        (date(2026, 11, 16), 0, 0),
    ]
    assert record.weeks_of(two.pk + 1000, START, 4) == []


def test_old_weeks_are_not_kept():
    one, two = guests()
    TallyWeek.objects.create(guest=one, week=date(2024, 1, 1), played=5, won=5)
    between(one, two, winner=1, ended=START - timedelta(weeks=80))
    between(one, two, winner=1)
    tally_all()
    assert [row.week for row in TallyWeek.objects.filter(guest=one)] == [START.date()]
    assert Tally.objects.get(guest=one).played == 2


# --- Merging, forgetting, downloading -----------------------------------------------------------


def test_merging_adds_everything_up():
    one, other, rival = guests(3)
    for guest, winner, day in ((one, 1, 1), (one, 1, 2), (other, 2, 3), (other, 1, 4)):
        match = between(guest, rival, winner=winner, ended=START + timedelta(days=day))
        tallies.note_accuracy(match.pk, REVIEWED)
    against(other, "casual", winner=1)
    tally_all()
    record.merge(one.pk, other.pk)
    tally = Tally.objects.get(guest=one, kind="people")
    assert (tally.played, tally.won) == (4, 3)
    # The other one played last, and won once since losing.
    assert (tally.run, tally.best_run) == (1, 2)
    assert (tally.accuracy_sum, tally.accuracy_count) == (4 * 67, 4)
    assert record.record_of(one.pk)["chain-factor"]["best_level"] == "casual"
    assert sum(TallyWeek.objects.filter(guest=one).values_list("played", flat=True)) == 5
    assert not Tally.objects.filter(guest=other).exists()
    assert not TallyWeek.objects.filter(guest=other).exists()
    record.merge(one.pk, other.pk)
    assert Tally.objects.get(guest=one, kind="people").played == 4


def test_guests_who_played_each_other_and_are_now_one_do_not_count():
    one, two = guests()
    match = between(one, two, winner=1)
    Match.objects.filter(pk=match.pk).update(seat_2=one)
    tallies.note_accuracy(match.pk, REVIEWED)
    tally_all()
    assert record.record_of(one.pk) == {}


def test_a_guest_who_is_deleted_takes_their_record_along():
    one, two = guests()
    between(one, two, winner=1)
    tally_all()
    Match.objects.all().delete()
    one.delete()
    assert [tally.guest_id for tally in Tally.objects.all()] == [two.pk]
    assert [row.guest_id for row in TallyWeek.objects.all()] == [two.pk]


def test_the_download_has_all_figures():
    one, two = guests()
    between(one, two, winner=1)
    tally_all()
    found = record.export(one.pk)
    assert found["record"]["chain-factor"]["played"] == 1
    assert found["weeks"] == [{"week": "2026-11-02", "played": 1, "won": 1}]


def test_reading_a_record_takes_one_query_however_many_matches_there_are():
    one, two = guests()
    for _ in range(12):
        between(one, two, winner=1)
    tally_all()
    with CaptureQueriesContext(connection) as queries:
        record.record_of(one.pk)
        record.weeks_of(one.pk, START, 26)
    assert len(queries) == 2
    assert not any("games_match" in query["sql"] for query in queries)
