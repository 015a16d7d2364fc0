"""Events reach every listener, and a match's end is announced once."""

import msgspec
import pytest

from games.live import protocol
from games.live.events import Event
from games.live.process import Process
from games.matches import action_log, database
from games.matches.action_log import Writing
from games.matches.selectors import StoredAction
from tests.live.in_process import FakeClient, new_match, settled


def test_every_listener_is_called_even_if_one_fails(caplog):
    event, heard = Event("changed"), []

    def fail(what):
        raise ZeroDivisionError

    event.listen(heard.append)
    event.listen(fail)
    event.listen(heard.append)
    event(7)
    assert heard == [7, 7]
    assert "ZeroDivisionError" in caplog.text


def test_a_listener_can_stop_listening_while_it_is_called():
    event, heard = Event("changed"), []

    def once(what):
        heard.append(what)
        stop()

    stop = event.listen(once)
    event.listen(heard.append)
    event(1)
    event(2)
    assert heard == [1, 1, 2]


class Watched:
    """A process whose events are recorded."""

    def __init__(self):
        self.process = Process()
        self.changed, self.finished = [], []
        self.process.events.changed.listen(lambda live: self.changed.append(live.loaded.version))
        self.process.events.finished.listen(lambda live: self.finished.append(live.id))


RESIGNED = StoredAction(1, 1, None, "resign", "r", 1.0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
class TestEndings:
    async def test_a_match_that_ends_here_is_announced_once(self):
        match, one, _two = await database.write(new_match)

        watched, client = Watched(), FakeClient(one)
        process = watched.process
        live = await process.hub.enter(match.pk, client.socket)
        assert watched.changed == [0]
        process.writer.submit(live, client.socket, protocol.Move(move=6, version=0, id="m"))
        await settled(process.writer, client)
        assert (watched.changed, watched.finished) == ([0, 1], [])
        process.writer.submit(live, client.socket, protocol.Resign(id="r"))
        await settled(process.writer, client)
        assert (watched.changed, watched.finished) == ([0, 1, 2], [match.pk])
        # Reloading the match, hearing of its end again, or loading it elsewhere announces nothing.
        await process.hub.refresh(live)
        told = msgspec.to_builtins([live.loaded.actions[-1]])
        process.elsewhere.hear("actions", "b", (match.pk, told))
        assert watched.finished == [match.pk]
        later = Watched()
        await later.process.hub.enter(match.pk, FakeClient(one).socket)
        assert (later.changed, later.finished) == ([2], [])

    @pytest.mark.parametrize("way", ["told", "compared"])
    async def test_a_match_that_ends_in_another_process_is_announced_once_where_it_is_loaded(
        self, way
    ):
        match, one, _two = await database.write(new_match)

        watched, client = Watched(), FakeClient(one)
        process = watched.process
        live = await process.hub.enter(match.pk, client.socket)
        await database.write(action_log.write_actions, [Writing(match.serial, [RESIGNED], 2)])
        if way == "told":
            told = msgspec.to_builtins([RESIGNED])
            process.elsewhere.hear("actions", "b", (match.pk, told))
        for _ in range(2):
            await process.convergence.compare([live])
        assert watched.finished == [match.pk]
        assert live.loaded.version == 1

    async def test_a_read_that_is_older_than_a_commit_does_not_undo_it(self, monkeypatch):
        match, one, _two = await database.write(new_match)

        watched, client = Watched(), FakeClient(one)
        process = watched.process
        live = await process.hub.enter(match.pk, client.socket)
        read, reads = database.read, []

        async def read_slowly(function, *args):
            found = await read(function, *args)
            reads.append(len(found.actions))
            if len(reads) == 1:
                # The match ends before this read returns.
                entries = live.loaded.judge_decision(1, "resign", "r")
                writing = Writing(match.serial, [entry.action for entry in entries], 2)
                await database.write(action_log.write_actions, [writing])
                process.hub.committed(live, entries, live.show(entries))
            return found

        with monkeypatch.context() as patched:
            patched.setattr(database, "read", read_slowly)
            await process.hub.load(live)
        assert reads == [0, 1]
        assert live.loaded.version == 1
        assert watched.finished == [match.pk]
