"""Who is told what by web push, and who is not."""

import timeit
from types import SimpleNamespace

import pytest

from games.guests import notifying, subscriptions
from games.live import notices
from games.live.events import Concern
from games.live.notices import Notice, notices_in, topic_of, words
from games.live.process import Process
from games.live.protocol import Move, Rematch, Resign
from games.matches import database, rematches, services
from games.models import Guest, Match
from tests.guests.push_service import push_service
from tests.live.in_process import FakeClient, new_match, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


@pytest.fixture
def service(settings):
    with push_service() as service:
        settings.PUSH_TEST_SERVICE = service.origin
        settings.PUSH_AFTER = (0.0, 0.0)
        yield service


@pytest.fixture
async def process():
    process = Process()
    process.tasks.loop = None
    yield process
    await process.tasks.stop()
    await process.posting.close()


def subscribe(service, guest, name="1", language="en"):
    one = service.subscription(name)
    subscriptions.subscribe(guest, one["endpoint"], language=language, **one["keys"])


async def come(process, match, guest):
    """Open the match's page."""
    client = FakeClient(guest)
    process.door.enter(client.socket)
    await process.hub.enter(match.pk, client.socket)
    return client


def go(process, match, client):
    process.door.leave(client.socket)
    process.hub.leave(process.hub.matches[match.pk], client.socket)


async def play(process, match, client, move, version):
    live = process.hub.matches[match.pk]
    process.writer.submit(live, client.socket, Move(move=move, version=version, id=f"m{version}"))
    await settled(process.writer, client)


async def told(process, service):
    """Look, wait until everything is posted, and return what arrived since the last time."""
    await process.notices.look()
    await process.tasks.finished()
    arrived = [(received.path, received.message) for received in service.received]
    service.received.clear()
    return arrived


async def test_somebody_whose_turn_it_is_is_told_once(process, service):
    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two)
    client = await come(process, match, one)
    await told(process, service)  # that the match has begun
    await play(process, match, client, 6, 0)
    ((path, message),) = await told(process, service)
    assert path == "/push/1"
    assert message == {
        "title": "Your turn",
        "body": "Ada moved in Number Tower Duel. It's your turn.",
        "url": f"/m/{match.pk}/",
    }
    # Somebody opens the match again, or another process tells the same.
    process.notices.see(process.hub.matches[match.pk])
    assert await told(process, service) == []
    assert not await database.write(notifying.claim, match.pk, 2, 1)
    assert await database.write(notifying.claim, match.pk, 2, 2)


async def test_all_browsers_of_a_guest_are_told_each_in_its_language(process, service):
    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two, "phone", language="de")
    await database.write(subscribe, service, two, "desk")
    client = await come(process, match, one)
    await told(process, service)
    await play(process, match, client, 6, 0)
    titles = {path: message["title"] for path, message in await told(process, service)}
    assert titles == {"/push/phone": "Du bist am Zug", "/push/desk": "Your turn"}


async def test_nobody_is_told_while_one_of_their_pages_is_connected(process, service):
    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two)
    client, other = await come(process, match, one), FakeClient(two)
    # The lobby, or another match.
    process.door.enter(other.socket)
    await play(process, match, client, 6, 0)
    assert await told(process, service) == []
    # They looked connected, but the connection was dead: look again.
    process.door.leave(other.socket)
    assert len(await told(process, service)) == 1


async def test_a_turn_that_is_over_at_the_second_look_is_not_told(process, service):
    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two)
    client, other = await come(process, match, one), await come(process, match, two)
    await play(process, match, client, 6, 0)
    assert await told(process, service) == []
    await play(process, match, other, 3, 1)
    go(process, match, other)
    assert await told(process, service) == []


async def test_whoever_is_connected_to_another_process_is_not_told(process, service, monkeypatch):
    monkeypatch.setattr(notices, "ANSWERED_WITHIN", 0.01)
    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two)
    client = await come(process, match, one)
    await play(process, match, client, 6, 0)
    asked = []

    def answered(guest_ids):
        asked.append(guest_ids)
        process.elsewhere.hear("here", "another", [*guest_ids, 7])

    process.hub.relay = SimpleNamespace(
        is_settled=True, tell_where=answered, tell_actions=None, tell_here=asked.append
    )
    assert await told(process, service) == []
    assert asked == [[two.pk]]
    # We answer the same question, and only if we have something to say.
    process.elsewhere.hear("where", "another", [two.pk])
    assert len(asked) == 1
    process.door.enter(FakeClient(one).socket)
    process.elsewhere.hear("where", "another", [one.pk, two.pk])
    assert asked[1:] == [[one.pk]]
    # While Redis is away, nobody knows who is connected.
    process.hub.relay = SimpleNamespace(is_settled=False)
    process.notices.see(process.hub.matches[match.pk])
    assert await told(process, service) == []
    process.hub.relay = None
    process.notices.see(process.hub.matches[match.pk])
    assert len(await told(process, service)) == 1


async def test_answers_to_questions_of_others_are_not_kept(process):
    process.elsewhere.hear("here", "another", [1, 2, 3])
    assert process.notices._elsewhere == set()


async def test_your_friend_joined(process, service):
    one, two = (Guest(pk=n, name=name) for n, name in ((1, "Ada"), (2, "Bo")))
    match, _ = await database.write(
        services.create_match, guest=one, game="chain-factor", starts="me"
    )
    await database.write(subscribe, service, one)
    client = await come(process, match, two)
    await database.write(services.join_match, match_id=match.pk, guest=two)
    await process.hub.refresh(process.hub.matches[match.pk])
    ((_, message),) = await told(process, service)
    assert message["title"] == "Your friend is here"
    assert message["body"] == "Bo is here: Chain Factor has started. It's your turn."
    assert client.of_type("snapshot")


async def test_a_rematch_is_offered_and_accepted(process, service):
    match, one, two = await database.write(new_match)
    client, other = await come(process, match, one), await come(process, match, two)
    await play(process, match, client, 6, 0)
    live = process.hub.matches[match.pk]
    process.writer.submit(live, other.socket, Resign(id="r"))
    await settled(process.writer, client, other)
    go(process, match, other)
    await told(process, service)
    await database.write(subscribe, service, two)
    process.writer.submit(live, client.socket, Rematch(id="again"))
    await settled(process.writer, client)
    ((_, message),) = await told(process, service)
    assert message["title"] == "Rematch?"
    assert message["body"] == "Ada offers you a rematch in Number Tower Duel."
    process.notices.see(live)
    assert await told(process, service) == []

    await database.write(subscribe, service, one, "ada")
    go(process, match, client)
    await database.write(rematches.offer_rematch, match_id=match.pk, seat=2, network="")
    next_id = (await database.read(Match.objects.get, pk=match.pk)).rematch_id
    second = await database.read(Match.objects.get, pk=next_id)
    await come(process, second, two)
    ((path, message),) = await told(process, service)
    assert path == "/push/ada"
    assert "Your rematch with Bo in Number Tower Duel has started. Bo goes" in message["body"]


async def test_a_match_that_is_not_loaded_is_looked_at_too(process, service):
    """Somebody joined with a program, or offered a rematch in the list of their matches."""
    match, one, two = await database.write(new_match)
    process.events.concerned(Concern(match.pk, (one.pk, two.pk)))
    assert await told(process, service) == []
    assert not process.hub.has_loaded(match.pk)
    await database.write(subscribe, service, one)
    # One guest alone has made an invitation.
    process.events.concerned(Concern(match.pk, (one.pk,)))
    assert await told(process, service) == []
    process.events.concerned(Concern(match.pk, (one.pk, two.pk)))
    assert len(await told(process, service)) == 1


async def test_nobody_is_told_of_the_computer_or_on_one_device(process):
    guest = services.new_guest()
    for settings in ({"computer": "casual"}, {"same_device": True}):
        match, _ = await database.write(
            services.create_match, guest=guest, game="chain-factor", **settings
        )
        await come(process, match, None)
        assert notices_in(process.hub.matches[match.pk]) == []


async def test_an_old_turn_is_no_news(process, service, monkeypatch):
    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two)
    client = await come(process, match, one)
    await play(process, match, client, 6, 0)
    monkeypatch.setattr(notices, "NEWS_FOR", 0.0)
    assert await told(process, service) == []


async def test_a_turn_is_told_only_when_it_is_old_enough(process, service, settings):
    settings.PUSH_AFTER = (60.0, 90.0)
    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two)
    client = await come(process, match, one)
    await play(process, match, client, 6, 0)
    assert await told(process, service) == []
    live = process.hub.matches[match.pk]
    # An hour later, but the match has changed again in the meantime.
    process.notices._rounds[0] = (-3600.0, process.notices._rounds[0][1])
    assert await told(process, service) == []
    process.notices.see(live)
    await process.notices.look()
    process.notices._rounds[0] = (-3600.0, process.notices._rounds[0][1])
    live.loaded.turn_seen -= 60
    assert len(await told(process, service)) == 1


async def test_a_pass_that_was_forced_counts_as_nobodys_move():
    def match(last):
        row = SimpleNamespace(
            seat_1_id=1, seat_2_id=2, number=1, rematch_offer=0, rematch_id=None, started=None
        )
        loaded = SimpleNamespace(
            row=row,
            version=2,
            outcome=None,
            is_live=True,
            has_computer=False,
            state=SimpleNamespace(turn=1),
            actions=[SimpleNamespace(time=9e9, **last)],
        )
        return SimpleNamespace(loaded=loaded)

    assert notices_in(match({"seat": 2, "client_id": None})) == []
    assert [one.seat for one in notices_in(match({"seat": 2, "client_id": "c"}))] == [1]


async def test_one_guest_is_not_told_too_often(process, service):
    from games.matches.limits import NOTIFYING_BY_GUEST

    match, one, two = await database.write(new_match)
    await database.write(subscribe, service, two)
    client = await come(process, match, one)
    await told(process, service)
    while NOTIFYING_BY_GUEST.allows(two.pk):
        pass
    await play(process, match, client, 6, 0)
    assert await told(process, service) == []


async def test_too_many_at_once_wait_for_the_next_look(process, service, monkeypatch):
    monkeypatch.setattr(notices, "MOST_AT_ONCE", 1)
    for name in ("a", "b"):
        match, one, two = await database.write(new_match)
        await database.write(subscribe, service, two, name)
        await come(process, match, one)
    first, second = await told(process, service), await told(process, service)
    assert {path for path, _ in first + second} == {"/push/a", "/push/b"}
    assert len(first) == 1


async def test_a_name_with_braces_is_only_a_name(process):
    match, _, two = await database.write(new_match)
    await database.write(Guest.objects.filter(pk=two.pk).update, name="{game.__class__}")
    await come(process, match, None)
    live = process.hub.matches[match.pk]
    notice = Notice(live, 1, 1, "moved", True, 0)
    assert words(notice, live.loaded, "en")["body"].startswith("{game.__class__} moved in")


def test_a_topic_fits_into_its_header_and_does_not_show_the_match():
    assert len(topic_of("ga5snbpr")) == 32
    assert "ga5snbpr" not in topic_of("ga5snbpr")
    assert topic_of("ga5snbpr") != topic_of("ga5snbps")


def test_a_move_costs_next_to_nothing():
    live, see = object(), Process().notices.see
    assert min(timeit.repeat(lambda: see(live), number=10_000, repeat=5)) / 10_000 < 5e-6
