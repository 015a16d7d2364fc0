"""Reactions from players and spectators, shown to everyone in a match."""

from tests.live.client import connected, new_pair


async def test_everyone_in_the_match_sees_who_reacted(server):
    match_id, one, two = new_pair(server)
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
        connected(server, match_id) as spectator,
    ):
        for client, by in ((second, 2), (spectator, None)):
            await client.send(type="react", reaction="wow", id="r")
            for each in (first, second, spectator):
                seen = await each.receive("reaction")
                assert (seen["by"], seen["reaction"]) == (by, "wow")
        assert first.version == 0


async def test_unknown_reactions_and_too_many_reactions_are_rejected(server):
    match_id, one, _ = new_pair(server)
    async with connected(server, match_id, one) as client:
        await client.send(type="react", reaction="my own words", id="r")
        assert (await client.receive("rejected"))["code"] == "bad_field"
        for _ in range(5):
            await client.send(type="react", reaction="hello", id="r")
        refusal = await client.receive("rejected")
        assert refusal["code"] == "too_fast"
        assert [message["type"] for message in client.inbox].count("reaction") == 4
