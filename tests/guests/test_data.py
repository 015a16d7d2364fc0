"""Everything that is stored about a guest, as JSON."""

import json

import pytest

from games.guests import data, device_links, recovery
from games.matches import database, services
from games.models import Guest
from tests.guests.people import another_device, match_of, play, resign

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


async def downloaded(guest):
    parts = [part async for part in data.download(guest)]
    return json.loads(b"".join(parts)), parts


def prepared():
    guest, friend = services.new_guest(), services.new_guest()
    finished = match_of(guest, friend, name="Grace")
    play(finished, 6, 3)
    resign(finished, 2)
    match_of(friend, guest)
    match_of(guest, computer="casual")
    match_of(guest, same_device=True)
    match_of(guest)
    another_device(guest)
    recovery.new_code(guest)
    device_links.new_link(guest)
    return Guest.objects.get(pk=guest.pk), friend, finished


async def test_a_download_has_everything_about_a_guest_and_nothing_about_others():
    guest, friend, finished = await database.write(prepared)
    found, _ = await downloaded(guest)
    assert (found["guest"]["name"], found["guest"]["generated"]) == ("Grace", guest.name)
    assert [device["number"] for device in found["devices"]] == [1]
    assert len(found["device_links"]) == 2
    assert found["recovery_code_made"]
    first, second, computer, device, invitation = found["matches"]
    assert (first["id"], first["your_seats"]) == (finished.pk, [1])
    assert [action["move"] for action in first["actions"]] == [6, 3, None]
    assert first["actions"][2]["decision"] == "resign"
    assert (first["winner"], second["your_seats"]) == (1, [2])
    assert [match["opponent"] for match in found["matches"]] == [
        "a person",
        "a person",
        "the computer, casual",
        "",
        "",
    ]
    assert device["your_seats"] == [1, 2]
    assert invitation["status"] == "open"
    assert computer["same_device"] is False
    assert str(friend.pk) not in json.dumps(found)
    assert friend.name not in json.dumps(found)


async def test_a_long_history_is_read_in_parts(monkeypatch):
    monkeypatch.setattr(data, "MATCHES_AT_ONCE", 2)
    guest = await database.write(services.new_guest)
    for _ in range(5):
        await database.write(match_of, guest)
    asked = []
    about_matches = data.about_matches

    def read(guest, match_ids):
        asked.append(len(match_ids))
        return about_matches(guest, match_ids)

    monkeypatch.setattr(data, "about_matches", read)
    found, parts = await downloaded(await database.read(Guest.objects.get))
    assert asked == [2, 2, 1]
    assert len(found["matches"]) == 5
    assert max(map(len, parts)) < 2000


async def test_a_guest_without_a_match_gets_what_there_is():
    found, _ = await downloaded(services.new_guest())
    assert found["matches"] == found["devices"] == []
    assert found["guest"]["created"] is None
