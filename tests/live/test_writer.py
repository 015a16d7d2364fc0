"""The writer with sockets and a real database: batches, failures, other processes."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import msgspec
import pytest
from django.db import DatabaseError
from django.utils import timezone

from games.live import writer as writer_module
from games.live.events import Events
from games.live.frames import Frames
from games.live.housekeeping import CHECKPOINT_AFTER, CHECKPOINT_EVERY, Housekeeping
from games.live.hub import Hub
from games.live.live_match import SOCKETS_AT_ONCE
from games.live.process import Process
from games.live.socket import Socket
from games.live.tasks import Tasks
from games.matches import action_log, cleanup, database, selectors, services
from games.matches.action_log import Writing
from games.matches.selectors import StoredAction
from games.models import Guest, Match
from games.refusals import Refusal
from tests.live.in_process import FakeClient, new_match, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


async def test_a_failed_item_is_rejected_and_memory_and_database_agree(monkeypatch):
    matches = [await database.write(new_match) for _ in range(3)]
    broken = matches[1][0]

    def fail_for_one(writings, write=action_log.write_actions):
        if any(one.match_serial == broken.serial for one in writings):
            raise DatabaseError("no space left on device")
        write(writings)

    monkeypatch.setattr(action_log, "write_actions", fail_for_one)
    # The failure is logged.
    logged = []
    monkeypatch.setattr(writer_module.logger, "error", lambda *args, **_: logged.append(args))

    process = Process()
    process.commits.quick = None  # a batch that fails there goes to the thread, as all do here
    hub, writer = process.hub, process.writer
    clients, entered = [], []
    for match, one, _two in matches:
        client = FakeClient(one)
        clients.append(client)
        entered.append(await hub.enter(match.pk, client.socket))
    for client, live in zip(clients, entered, strict=True):
        request = writer_module.protocol.Move(move=6, version=0, id="m")
        writer.submit(live, client.socket, request)
    await settled(writer, *clients)
    answers = [client.of_type("update", "rejected")[0] for client in clients]
    assert [answer["type"] for answer in answers] == ["update", "rejected", "update"]
    assert answers[1]["code"] == "not_saved"
    for live in entered:
        stored = await database.read(selectors.stored_match, live.id)
        assert len(stored.actions) == live.loaded.version == (0 if live.id == broken.pk else 1)
    monkeypatch.undo()
    # The same id can be sent again, and is accepted now.
    writer.submit(entered[1], clients[1].socket, request)
    await settled(writer, *clients)
    assert clients[1].of_type("update", "rejected")[-1]["type"] == "update"
    assert len(logged) == 1


async def test_an_id_that_was_saved_while_it_was_queued_is_answered_not_saved_again():
    match, one, _two = await database.write(new_match)
    process = Process()
    first, second = FakeClient(one), FakeClient(one)
    live = await process.hub.enter(match.pk, first.socket)
    await process.hub.enter(match.pk, second.socket)
    # To the writer these are different players, so the second request is queued behind the first.
    second.socket.you = (1, 2)
    request = writer_module.protocol.Move(move=6, version=0, id="m")
    for client in (first, second):
        process.writer.submit(live, client.socket, request)
    await settled(process.writer, first, second)
    assert not second.of_type("rejected")
    assert second.of_type("update")[-1]["version"] == 1
    stored = await database.read(selectors.stored_match, match.pk)
    assert len(stored.actions) == 1


async def test_the_player_whose_turn_it_is_gets_an_update_first(monkeypatch):
    match, one, two = await database.write(new_match)
    process = Process()
    clients = {1: FakeClient(one), 2: FakeClient(two), None: FakeClient(None)}
    for client in clients.values():
        live = await process.hub.enter(match.pk, client.socket)
    order = []
    push = Socket.push
    monkeypatch.setattr(
        Socket, "push", lambda socket, *args: (order.append(socket.you), push(socket, *args))
    )
    for version, seat in enumerate((1, 2, 1)):
        order.clear()
        move = live.loaded.game.legal_moves(live.loaded.state)[0]
        request = writer_module.protocol.Move(move=move, version=version, id=f"m{version}")
        process.writer.submit(live, clients[seat].socket, request)
        await settled(process.writer, *clients.values())
        assert sorted(order) == [(), (1,), (2,)]
        assert order[0] == (3 - seat,)


class Broken(Exception):
    """The error that a broken socket raises."""


class BrokenSocket(Socket):
    """A subscribed socket that raises in every method."""

    def __init__(self, you):
        super().__init__(None, None)
        self.you = you

    def fail(self, *args, **kwargs):
        raise Broken

    push = push_together = close = sent = may_catch_up = keep_texts = hand_texts_to = fail


def socket_on_a_broken_line(you):
    """A real socket on a server that fails at everything."""

    def fail(*args):
        raise Broken

    socket = Socket(fail, None, Frames(write=fail, deliver_to=fail))
    socket.you = you
    return socket


@pytest.mark.parametrize("broken", [BrokenSocket, socket_on_a_broken_line])
@pytest.mark.parametrize("crowd", [0, SOCKETS_AT_ONCE])
async def test_a_broken_socket_does_not_affect_other_sockets_matches_or_answers(
    broken, crowd, caplog
):
    """One broken socket watches the first match, one plays it, one moves in the second match."""
    matches = [await database.write(new_match) for _ in range(4)]

    process = Process()
    hub, writer = process.hub, process.writer
    clients, watching, entered = [], [], []
    for match, one, _two in matches:
        clients.append(FakeClient(one))
        entered.append(await hub.enter(match.pk, clients[-1].socket))
    for _ in range(crowd):
        watching.append(FakeClient(SimpleNamespace(pk=None)))
        await hub.enter(entered[0].id, watching[-1].socket)
    spectator, player = broken(()), broken((2,))
    entered[0].sockets |= {spectator, player}
    entered[0].players.add(player)
    entered[2].sockets.add(broken((2,)))
    sender = broken((1,))
    entered[1].sockets.add(sender)
    senders = [clients[0].socket, sender, clients[2].socket, clients[3].socket]
    for socket, live in zip(senders, entered, strict=True):
        request = writer_module.protocol.Move(move=6, version=0, id="m")
        writer.submit(live, socket, request)
    await settled(writer, *clients)
    await process.tasks.finished()
    for client in (*clients, *watching):
        await client.socket.sent()
        assert [
            (message["type"], message["version"])
            for message in client.of_type("update", "rejected")
        ] == [("update", 1)]
    for live in entered:
        stored = await database.read(selectors.stored_match, live.id)
        assert len(stored.actions) == live.loaded.version == 1
    assert "Broken" in caplog.text


async def test_a_failing_listener_does_not_affect_answers(caplog):
    matches = [await database.write(new_match) for _ in range(2)]

    process = Process()
    hub, writer, clients, entered = process.hub, process.writer, [], []
    for match, one, _two in matches:
        clients.append(FakeClient(one))
        entered.append(await hub.enter(match.pk, clients[-1].socket))

    def fail(live):
        raise Broken

    process.events.changed.listen(fail)
    for client, live in zip(clients, entered, strict=True):
        request = writer_module.protocol.Move(move=6, version=0, id="m")
        writer.submit(live, client.socket, request)
    await settled(writer, *clients)
    for client in clients:
        assert [answer["type"] for answer in client.of_type("update", "rejected")] == ["update"]
    assert "Broken" in caplog.text


async def test_a_request_that_raises_does_not_affect_the_rest_of_its_batch(monkeypatch, caplog):
    matches = [await database.write(new_match) for _ in range(3)]

    process = Process()
    hub, writer, clients, entered = process.hub, process.writer, [], []
    for match, one, _two in matches:
        clients.append(FakeClient(one))
        entered.append(await hub.enter(match.pk, clients[-1].socket))

    def fail(*args):
        raise Broken

    monkeypatch.setattr(entered[1].loaded, "judge_move", fail)
    for client, live in zip(clients, entered, strict=True):
        request = writer_module.protocol.Move(move=6, version=0, id="m")
        writer.submit(live, client.socket, request)
    await settled(writer, *clients)
    answers = [client.of_type("update", "rejected") for client in clients]
    assert [[answer["type"] for answer in each] for each in answers] == [
        ["update"],
        ["rejected"],
        ["update"],
    ]
    assert answers[1][0]["code"] == "not_saved"
    assert "Broken" in caplog.text


async def test_a_process_that_is_behind_reloads_before_it_answers():
    match, one, two = await database.write(new_match)

    processes = Process(), Process()
    here, there = (process.hub for process in processes)
    first, second = FakeClient(one), FakeClient(two)
    live_here = await here.enter(match.pk, first.socket)
    live_there = await there.enter(match.pk, second.socket)
    writers = [process.writer for process in processes]
    move = writer_module.protocol.Move
    writers[0].submit(live_here, first.socket, move(move=6, version=0, id="m1"))
    await settled(writers[0], first)
    # The other hub has missed the move: it checks against version 0, gets a conflict, and reloads.
    resign = writer_module.protocol.Resign(id="r")
    writers[1].submit(live_there, second.socket, resign)
    await settled(writers[1], second)
    assert second.of_type("rejected")[0]["code"] == "stale_version"
    assert second.of_type("snapshot")[-1]["version"] == 1
    writers[1].submit(live_there, second.socket, resign)
    await settled(writers[1], second)
    assert second.of_type("update")[-1]["decision"] == "resign"
    # The first hub catches up by comparing with the database.
    await processes[0].convergence.compare([live_here])
    await first.socket.sent()
    assert first.of_type("snapshot")[-1]["outcome"]["winner"] == 1


async def test_actions_from_another_process_are_added_in_order_and_a_gap_causes_a_reload():
    match, one, _two = await database.write(new_match)

    process, client = Process(), FakeClient(one)
    hub = process.hub
    live = await hub.enter(match.pk, client.socket)
    actions = [
        StoredAction(1, 1, 6, None, "a", 1.0),
        StoredAction(2, 2, 3, None, "b", 2.0),
        StoredAction(3, 1, 9, None, "c", 3.0),
    ]
    await database.write(action_log.write_actions, [Writing(match.serial, actions, None)])
    told = msgspec.to_builtins(actions)
    process.elsewhere.hear("actions", "b", (match.pk, told[:1]))
    assert live.loaded.version == 1
    process.elsewhere.hear("actions", "b", (match.pk, told[:1]))
    assert live.loaded.version == 1
    process.elsewhere.hear("actions", "b", (match.pk, told[2:]))
    while live.loaded.version < 3:
        await asyncio.sleep(0)
    await process.tasks.finished()
    await client.socket.sent()
    assert [update["version"] for update in client.of_type("update")] == [1]
    assert client.of_type("snapshot")[-1]["version"] == 3


async def test_a_full_queue_rejects_requests(monkeypatch):
    monkeypatch.setattr(writer_module, "LONGEST_QUEUE", 0)
    match, one, _two = await database.write(new_match)

    process, client = Process(), FakeClient(one)
    live = await process.hub.enter(match.pk, client.socket)
    with pytest.raises(Refusal) as caught:
        process.writer.submit(
            live, client.socket, writer_module.protocol.Move(move=6, version=0, id="m")
        )
    assert caught.value.code == "busy"


def test_expired_invitations_and_abandoned_matches_are_closed():
    now = timezone.now()
    old_open, _ = services.create_match(guest=Guest.objects.create(name="A"), game="chain-factor")
    young_open, _ = services.create_match(guest=Guest.objects.create(name="B"), game="chain-factor")
    abandoned, played = new_match()[0], new_match()[0]
    Match.objects.filter(pk=old_open.pk).update(created=now - timedelta(days=15))
    Match.objects.filter(pk__in=[abandoned.pk, played.pk]).update(started=now - timedelta(days=31))
    recent = StoredAction(1, 1, 6, None, "a", now.timestamp())
    action_log.write_actions([Writing(played.serial, [recent], None)])
    done = cleanup.sweep(now)
    assert (done[cleanup.EXPIRED], done[cleanup.UNFINISHED]) == (1, 1)
    statuses = dict(Match.objects.values_list("pk", "status"))
    assert statuses == {
        old_open.pk: "expired",
        young_open.pk: "open",
        abandoned.pk: "unfinished",
        played.pk: "live",
    }
    with pytest.raises(Refusal) as caught:
        services.join_match(match_id=old_open.pk, guest=Guest.objects.create(name="C"))
    assert caught.value.code == "closed"


def test_wins_in_a_series_are_counted_by_seat_although_seats_swap():
    row = SimpleNamespace(series="s", number=4)
    two = Guest.objects.create(name="A"), Guest.objects.create(name="B")
    for number, winner in ((1, 1), (2, 2), (3, 2)):
        Match.objects.create(
            game="chain-factor",
            setup={},
            status="finished",
            winner=winner,
            series="s",
            number=number,
            seat_1=two[number % 2],
            seat_2=two[1 - number % 2],
        )
    # The player who began the series won the first and second match, and is in seat 2 now.
    assert selectors.wins_before(row) == (1, 2)


async def test_checkpoints_run_at_an_interval_and_after_many_writes(monkeypatch):
    done = []

    async def read(function):
        done.append(function)

    monkeypatch.setattr(database, "read", read)
    hub = Hub(Tasks(), Events())
    rounds = Housekeeping(hub)
    await rounds.checkpoint()
    assert done == []
    hub.written = CHECKPOINT_AFTER
    await rounds.checkpoint()
    assert done == [database.checkpoint]
    await rounds.checkpoint()
    assert done == [database.checkpoint]
    rounds._checkpointed -= CHECKPOINT_EVERY
    await rounds.checkpoint()
    assert done == [database.checkpoint] * 2
