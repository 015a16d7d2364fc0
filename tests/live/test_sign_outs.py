"""A device that was signed out is out at once, in every process and on open sockets."""

import asyncio

import pytest

from games.guests import devices
from games.live import protocol
from games.live.process import Process
from games.matches import database, services
from tests.guests.people import another_device, match_of
from tests.live.in_process import FakeClient, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


class Device(FakeClient):
    """A client on one of a guest's devices. It keeps the code with which it is closed."""

    def __init__(self, guest):
        super().__init__(guest)
        self.socket.device = guest.device
        self.closed = None

    async def send(self, message):
        if message["type"] == "websocket.close":
            self.closed = message["code"]
        else:
            await super().send(message)


async def entered(process, match, *guests):
    """Open a socket for each of these guests."""
    clients = [Device(guest) for guest in guests]
    for client in clients:
        process.door.enter(client.socket)
        await process.hub.enter(match.pk, client.socket)
    return clients


def a_match_on_two_devices():
    laptop, friend = services.new_guest(), services.new_guest()
    match = match_of(laptop, friend)
    return match, laptop, another_device(laptop), friend


class Relay:
    """What a process tells the others."""

    def __init__(self):
        self.told = []

    def tell_signed_out(self, *what):
        self.told.append(what)


async def test_the_sockets_of_a_signed_out_device_are_closed_and_no_others():
    process = Process()
    match, laptop, phone, friend = await database.write(a_match_on_two_devices)
    here, there, other = await entered(process, match, laptop, phone, friend)
    mask = await database.write(devices.sign_out, laptop, phone.device)
    process.hub.relay = relay = Relay()
    process.sign_outs._announce(laptop.pk, mask)
    assert relay.told == [(laptop.pk, 0b10)]
    assert there.messages[-1]["type"] == "error"
    assert there.messages[-1]["code"] == "bad_token"
    assert there.closed == 4401
    assert (here.closed, other.closed) == (None, None)
    assert here.socket.you == (1,)


async def test_a_signed_out_device_cannot_move_even_before_its_socket_is_gone():
    process = Process()
    match, laptop, phone, friend = await database.write(a_match_on_two_devices)
    here, there, _ = await entered(process, match, laptop, phone, friend)
    live = process.hub.matches[match.pk]
    process.sign_outs.apply(laptop.pk, 0b10)
    with pytest.raises(protocol.Refusal) as refused:
        process.writer.submit(live, there.socket, protocol.Move(move=6, version=0, id="a"))
    assert refused.value.code == "spectator"
    process.writer.submit(live, here.socket, protocol.Move(move=6, version=0, id="b"))
    await settled(process.writer, here)
    assert live.loaded.version == 1


async def test_a_loaded_match_does_not_let_a_signed_out_device_in_again():
    process = Process()
    match, laptop, phone, _ = await database.write(a_match_on_two_devices)
    await entered(process, match, laptop)
    mask = await database.write(devices.sign_out, laptop, phone.device)
    process.sign_outs.apply(laptop.pk, mask)
    (again,) = await entered(process, match, phone)
    assert again.socket.you == ()
    assert again.of_type("snapshot")[0]["you"] == []


async def test_a_match_that_is_being_loaded_is_read_again():
    process = Process()
    match, laptop, *_ = await database.write(a_match_on_two_devices)
    live = process.hub.live_match(match.pk)
    loading = asyncio.ensure_future(process.hub.load(live))
    await asyncio.sleep(0)
    process.sign_outs.apply(laptop.pk, 0b10)
    assert live.outdated
    await loading


async def test_other_processes_hear_of_it():
    process = Process()
    match, laptop, phone, _ = await database.write(a_match_on_two_devices)
    (there,) = await entered(process, match, phone)
    process.elsewhere.hear("signed_out", "another process", [laptop.pk, 0b10])
    assert there.closed == 4401


async def test_a_process_that_missed_the_message_finds_out_by_itself():
    process = Process()
    match, laptop, phone, _ = await database.write(a_match_on_two_devices)
    (there,) = await entered(process, match, phone)
    await database.write(devices.sign_out, laptop, phone.device)
    # One process alone told itself.
    await process.sign_outs.look()
    assert there.closed is None
    process.hub.relay = Relay()
    await process.sign_outs.look()
    assert there.closed == 4401
    process.sign_outs.apply = None
    await process.sign_outs.look()


def test_the_look_is_one_of_the_regular_jobs():
    process = Process()
    assert (5.0, process.sign_outs.look) in process.tasks._jobs
