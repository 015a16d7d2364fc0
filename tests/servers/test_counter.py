"""Counting the frames that a client sends, however the network cuts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from games.live.frames.counter import LONGEST_MESSAGE, FrameCounter, MessageTooLong

MANY = 1_000_000


def frame(opcode=Opcode.TEXT, size=0, fin=True):
    return Frame(opcode, b"x" * size, fin).serialize(mask=True)


FRAMES = st.builds(
    frame,
    st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.PING, Opcode.PONG, Opcode.CLOSE]),
    st.sampled_from([0, 1, 125]),
) | st.builds(frame, st.just(Opcode.TEXT), st.sampled_from([126, 300, LONGEST_MESSAGE]))


@given(st.lists(FRAMES, max_size=5), st.data())
def test_every_frame_counts_once(frames, data):
    sent = b"".join(frames)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=6)))
    counter = FrameCounter()
    parts = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert sum(counter.count(part, MANY) for part in parts) == len(frames)
    assert counter.at_message_start


@given(FRAMES, st.data())
def test_within_a_frame_the_next_byte_starts_no_message(whole, data):
    counter = FrameCounter()
    counter.count(whole[: data.draw(st.integers(1, len(whole) - 1))], MANY)
    assert not counter.at_message_start


def test_between_fragments_the_next_byte_starts_no_message():
    counter = FrameCounter()
    assert counter.count(frame(fin=False), MANY) == 1
    assert counter.count(frame(Opcode.PING), MANY) == 1
    assert not counter.at_message_start
    assert counter.count(frame(Opcode.CONT), MANY) == 1
    assert counter.at_message_start


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(frame(size=LONGEST_MESSAGE + 1)[:14], id="one frame"),
        pytest.param(
            frame(size=LONGEST_MESSAGE, fin=False) + frame(Opcode.CONT, 1), id="fragments"
        ),
        pytest.param(b"\x81\xff\x80" + bytes(11), id="a huge size"),
    ],
)
def test_a_long_message_is_noticed_before_it_has_arrived(sent):
    with pytest.raises(MessageTooLong):
        FrameCounter().count(sent, MANY)


def test_messages_are_measured_one_by_one():
    counter = FrameCounter()
    for _ in range(3):
        counter.count(frame(size=LONGEST_MESSAGE - 1, fin=False), MANY)
        counter.count(frame(Opcode.CONT, 1), MANY)


def test_a_flood_is_not_counted_to_its_end():
    assert FrameCounter().count(frame(Opcode.PING) * 10_000, 100) == 101


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_random_bytes_raise_nothing_else(parts):
    counter = FrameCounter()
    try:
        for part in parts:
            counter.count(part, MANY)
    except MessageTooLong:
        pass
