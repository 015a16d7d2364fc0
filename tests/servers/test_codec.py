"""Encoding and decoding websocket frames."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from games.live.frames.codec import LONGEST_SHORT, MOST_AT_ONCE, frame_of, slow_unmask, texts_in


def client_frame(text, opcode=Opcode.TEXT):
    """A frame as a client sends it, made by the websockets library, with a random mask."""
    return Frame(opcode, text.encode()).serialize(mask=True)


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_the_length_of_a_frame_is_encoded_as_the_standard_says(size):
    frame = frame_of("x" * size)
    assert frame[0] == 0x81
    head = 2 if size < 126 else 4 if size < 65_536 else 10
    assert len(frame) == head + size
    stated = frame[1] if size < 126 else int.from_bytes(frame[2:head])
    assert stated == size


SHORT = st.text(max_size=LONGEST_SHORT // 4)


@given(texts=st.lists(SHORT, max_size=4))
def test_one_or_many_short_frames_are_decoded(texts):
    assert texts_in(b"".join(map(client_frame, texts))) == texts


@given(texts=st.lists(SHORT, min_size=1, max_size=3), data=st.data())
def test_an_incomplete_frame_is_not_decoded(texts, data):
    frames = [client_frame(text) for text in texts]
    cut = data.draw(st.integers(1, len(frames[-1]) - 1))
    assert texts_in(b"".join(frames)[:-cut]) is None


@pytest.mark.parametrize("size", [LONGEST_SHORT, LONGEST_SHORT + 1])
def test_longer_frames_are_left_to_the_server(size):
    read = texts_in(client_frame("x" * size))
    assert read == (["x" * size] if size <= LONGEST_SHORT else None)


@given(st.binary(max_size=300))
def test_random_bytes_raise_nothing(data):
    texts = texts_in(data)
    assert texts is None or sum(6 + len(text.encode()) for text in texts) == len(data)


def test_a_flood_is_not_decoded():
    assert len(texts_in(client_frame("") * MOST_AT_ONCE)) == MOST_AT_ONCE
    assert texts_in(client_frame("") * (MOST_AT_ONCE + 1)) is None


@pytest.mark.parametrize("size", range(10))
def test_a_payload_is_unmasked_without_the_websockets_package_too(size):
    payload, mask = bytes(range(200, 200 + size)), b"\x12\x00\xff\x56"
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    assert slow_unmask(masked, mask) == payload
