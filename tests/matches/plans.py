"""How the database finds the rows of every query: by a key or an index, never by looking at all.

    python -m tests.matches.plans

Runs everything that reads or changes matches on the database that the settings name, and prints
the queries that would take longer the more matches there are.
"""

import json
import os
import re
from datetime import timedelta

import django

# They leave out most rows, so all of what they contain may be read.
SMALL = (
    "match_not_kept|match_not_tallied|guest_not_kept|guest_signed_out|guest_being_merged|"
    "listed_by_seat_1|listed_by_seat_2|one_guest_a_level"
)
# What SQLite reads from start to end: a list in a parameter, what it has just found, or a small
# index.
HARMLESS = re.compile(
    rf"SCAN (json_each|mine|CONSTANT ROW|\d+ CONSTANT ROWS|.* USING (COVERING )?INDEX ({SMALL}))"
)


def work():
    """Do everything that reads or changes matches, except what the log of actions writes."""
    from django.utils import timezone

    from games.guests import history, profile
    from games.live import readiness
    from games.matches import action_log, cleanup, lookups, rematches, selectors, services
    from games.matches.action_log import Writing
    from games.matches.selectors import StoredAction

    one, two = services.new_guest(), services.new_guest()
    game = {"game": "chain-factor", "starts": "me"}
    earlier, match = (services.create_match(guest=one, listed=True, **game)[0] for _ in range(2))
    services.unlist_earlier(one)
    services.join_match(match_id=match.pk, guest=two, name="Ada")
    profile.change_name(guest=two, name="Bo")
    services.cancel_invitation(match_id=earlier.pk, guest=one)
    services.create_match(guest=one, computer="casual", **game)
    resigned = Writing(match.serial, [StoredAction(1, 1, None, "resign", "r", 1.0)], 2)
    action_log.write_actions([resigned])
    assert action_log.is_written(resigned)
    for seat in (1, 2):
        rematches.offer_rematch(match_id=match.pk, seat=seat, network="")
    rematch = lookups.find(match.pk, "", None).rematch
    assert lookups.find_own(rematch.pk, "", one.who) == rematch
    assert selectors.wins_before(rematch) == (1, 0)
    assert len(selectors.stored_matches([match.pk, rematch.pk])) == 2
    assert selectors.stored_match(match.pk).actions
    assert len(selectors.fingerprints([match.pk, rematch.pk])) == 2
    assert selectors.overdue_computer_turns(timezone.now().timestamp() + 60) == ([], 0)
    for guest in (one, two):
        history.current(guest.pk)
        for standing in (None, *history.Standing):
            history.page(guest.pk, standing)
    history.page(one.pk, history.Standing.FINISHED, match.pk)
    record_and_push(one, two, match)
    readiness.write_row()
    work_with_guests()
    for days in (1, 20, 60, 100):
        cleanup.sweep(timezone.now() + timedelta(days=days))


def record_and_push(one, two, match):
    """Count the matches, merge the records, and subscribe to web push."""
    from django.utils import timezone

    from games.guests import notifying, record, subscriptions, tallies
    from games.models import Match
    from tests.guests.push_service import new_keys

    second = played_match(one, two)
    tallies.note_accuracy(match.pk, [{"kept": 1, "mattered": 1}] * 2)
    while tallies.step():
        pass
    tallies.note_accuracy(second.pk, [{"kept": 1, "mattered": 1}] * 2)
    assert record.record_of(two.pk)
    assert not Match.objects.filter(ended__isnull=False, tallied=None).exists()
    assert record.record_of(one.pk)
    assert record.weeks_of(one.pk, timezone.now(), 26)
    assert record.export(one.pk)["weeks"]
    record.merge(one.pk, two.pk)
    endpoint = "https://fcm.googleapis.com/fcm/send/a"
    keys = new_keys()[0]
    for guest in (one, two):
        subscriptions.subscribe(guest, endpoint, language="en", **keys)
    subscriptions.replace(endpoint, endpoint + "b", **keys)
    ((key,),) = (
        [row.pk for row in rows]
        for rows in subscriptions.subscriptions_of([one.pk, two.pk]).values()
    )
    subscriptions.failed(key)
    subscriptions.taken(key)
    subscriptions.merge(one.pk, two.pk)
    assert subscriptions.export(one.pk)
    subscriptions.unsubscribe(one.pk, endpoint + "b")
    subscriptions.gone(key)
    assert notifying.claim(match.pk, 1, 1)


def played_match(one, two):
    """Return a finished match in which both moved."""
    from games.matches import action_log, services
    from games.matches.action_log import Writing
    from games.matches.selectors import StoredAction

    match, _ = services.create_match(guest=one, game="chain-factor", starts="me")
    services.join_match(match_id=match.pk, guest=two)
    moves = [StoredAction(version, version, 6, None, "m", 1.0) for version in (1, 2)]
    action_log.write_actions([Writing(match.serial, moves, 1)])
    return match


def work_with_guests():
    """Do everything that reads or changes guests and their devices."""
    from django.utils import timezone

    from games.guests import data, device_links, devices, leaving, recovery, sweeping
    from games.matches import selectors, services
    from tests.guests.people import PHONE, another_device, arrive, match_of

    first, second = services.new_guest(), services.new_guest()
    for guest in (first, second):
        match_of(guest, services.new_guest())
        devices.write_down(guest, PHONE)
        devices.saw(guest, PHONE)
        recovery.new_code(guest)
    phone = another_device(first)
    devices.sign_out(first, another_device(first).device)
    devices.sign_out_others(phone)
    selectors.signed_out_since(timezone.now())
    list(leaving.steps(arrive(device_links.new_link(phone), current=second, merge=True).old))
    assert devices.moved_to(second.who).pk == devices.stored_guest(phone.who).pk
    assert recovery.guest_with_code(recovery.new_code(phone))
    data.about_matches(phone, data.match_ids_of(phone))
    [part(phone) for part in data.PARTS.values()]
    list(leaving.steps(leaving.begin(phone)))
    list(sweeping.steps(timezone.now() + timedelta(days=500)))
    recovery.delete_code(services.new_guest())


def slow_queries():
    """Return the queries of all work that look at whole tables, with their plans."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        work()
    statements = {
        query["sql"]
        for query in queries
        if "games_" in query["sql"]
        and query["sql"].startswith(("SELECT", "UPDATE", "DELETE", "\n"))
    }
    assert len(statements) > 30
    problems = sqlite_problems if connection.vendor == "sqlite" else postgresql_problems
    with connection.cursor() as cursor:
        found = {sql: problems(cursor, sql) for sql in sorted(statements)}
    return {sql: plan for sql, plan in found.items() if plan}


def sqlite_problems(cursor, sql):
    cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
    lines = [row[3] for row in cursor.fetchall()]
    return [line for line in lines if line.startswith("SCAN") and not HARMLESS.match(line)]


def postgresql_problems(cursor, sql):
    # It would read tables as small as these completely, even if there is an index.
    cursor.execute("SET enable_seqscan = off")
    cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
    (plan,) = cursor.fetchone()
    plan = json.loads(plan) if isinstance(plan, str) else plan
    return [problem for node in nodes(plan[0]["Plan"]) if (problem := problem_of(node))]


def nodes(node):
    yield node
    for below in node.get("Plans", []):
        yield from nodes(below)


def problem_of(node):
    if node["Node Type"] == "Seq Scan":
        return f"reads all of {node['Relation Name']}"
    index = node.get("Index Name")
    if index and "Index Cond" not in node and not re.fullmatch(SMALL, index):
        return f"reads all of {index}"
    return None


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "numgames_site.settings"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    for sql, plan in slow_queries().items():
        print(sql, *plan, sep="\n    ")
