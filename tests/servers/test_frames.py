"""Frames as the standard has them, made and read without a server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from games.live.frames import LONGEST_SHORT, frame_of, is_sign_of_life, texts_in


def client_frame(text, opcode=Opcode.TEXT):
    """What a client sends: by a library that knows the standard, under a random mask."""
    return Frame(opcode, text.encode()).serialize(mask=True)


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_frame_is_what_the_standard_says(size):
    frame = frame_of("x" * size)
    assert frame[0] == 0x81
    head = 2 if size < 126 else 4 if size < 65_536 else 10
    assert len(frame) == head + size
    stated = frame[1] if size < 126 else int.from_bytes(frame[2:head])
    assert stated == size


SHORT = st.text(max_size=LONGEST_SHORT // 4)


@given(texts=st.lists(SHORT, max_size=4))
def test_short_frames_are_read_one_or_many(texts):
    assert texts_in(b"".join(map(client_frame, texts))) == texts


@given(texts=st.lists(SHORT, min_size=1, max_size=3), data=st.data())
def test_what_is_not_whole_is_not_read(texts, data):
    frames = [client_frame(text) for text in texts]
    cut = data.draw(st.integers(1, len(frames[-1]) - 1))
    assert texts_in(b"".join(frames)[:-cut]) is None


@pytest.mark.parametrize("size", [LONGEST_SHORT, LONGEST_SHORT + 1])
def test_longer_frames_are_left_to_the_server(size):
    read = texts_in(client_frame("x" * size))
    assert read == (["x" * size] if size <= LONGEST_SHORT else None)


@given(st.binary(max_size=300))
def test_anything_else_is_left_to_the_server_without_a_word(data):
    is_sign_of_life(data)
    texts = texts_in(data)
    assert texts is None or sum(6 + len(text.encode()) for text in texts) == len(data)


@pytest.mark.parametrize("opcode", Opcode)
def test_pings_and_pongs_are_signs_of_life(opcode):
    frame = client_frame("abcd", opcode)
    assert is_sign_of_life(frame) == (opcode in (Opcode.PING, Opcode.PONG))
    assert not is_sign_of_life(frame[:-1])
    assert not is_sign_of_life(frame + frame)
    assert not is_sign_of_life(b"")
