"""Proofs of work for tokens above the limit."""

import hashlib
from itertools import count

import pytest

from games.matches import proofs
from games.refusals import Refusal
from tests.live.client import proof_for

NETWORK = "192.0.2.1"


def code_of(*arguments):
    with pytest.raises(Refusal) as caught:
        proofs.require(*arguments)
    return caught.value.code


@pytest.fixture(autouse=True)
def easy(monkeypatch):
    monkeypatch.setattr(proofs, "BITS", 8)
    monkeypatch.setattr(proofs, "_spent", {})


def test_a_proof_counts_once():
    challenge = proofs.new_challenge(NETWORK)
    proof = proof_for(challenge, 8)
    proofs.require(challenge, proof, NETWORK)
    assert code_of(challenge, proof, NETWORK) == "bad_proof"


def test_a_proof_from_another_network_does_not_count():
    challenge = proofs.new_challenge(NETWORK)
    assert code_of(challenge, proof_for(challenge, 8), "192.0.2.2") == "bad_proof"


def test_a_wrong_proof_and_a_made_up_challenge_do_not_count():
    challenge = proofs.new_challenge(NETWORK)
    wrong = next(
        text
        for text in map(str, count())
        if hashlib.sha256((challenge + text).encode()).digest()[0]
    )
    assert code_of(challenge, wrong, NETWORK) == "bad_proof"
    assert code_of("x.y.z", proof_for("x.y.z", 8), NETWORK) == "bad_proof"


def test_an_expired_challenge_does_not_count(monkeypatch):
    challenge = proofs.new_challenge(NETWORK)
    proof = proof_for(challenge, 8)
    monkeypatch.setattr(proofs, "VALID_FOR", -1)
    assert code_of(challenge, proof, NETWORK) == "bad_proof"


def test_only_the_last_used_challenges_are_remembered(monkeypatch):
    monkeypatch.setattr(proofs, "MOST_SPENT", 3)
    for _ in range(10):
        challenge = proofs.new_challenge(NETWORK)
        proofs.require(challenge, proof_for(challenge, 8), NETWORK)
    assert len(proofs._spent) == 3
    assert challenge in proofs._spent
