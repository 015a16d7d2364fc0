"""Tokens and cookies: long ones are turned away before any work on them."""

import pytest
from django.http import parse_cookie

from games.matches import identity


def test_a_token_names_its_guest():
    for guest_id in (1, 2**63 - 1):
        token = identity.token_for(guest_id)
        assert len(token) <= identity.LONGEST_TOKEN
        assert identity.guest_id_from(token) == guest_id
        assert identity.bearer_token(f"Bearer {token}") == token


@pytest.mark.parametrize("token", ["x" * (identity.LONGEST_TOKEN + 1), "1.2.é", "1.2.\ud800"])
def test_what_cannot_be_a_token_is_not_worth_a_signature(monkeypatch, token):
    monkeypatch.setattr(identity._SIGNER, "unsign", None)
    assert identity.guest_id_from(token) is None
    assert identity.guest_id_from(identity.bearer_token(f"Bearer {token}")) is None


def test_a_header_with_a_long_token_has_a_token_that_is_not_valid():
    valid = identity.token_for(1)
    token = identity.bearer_token(f"bearer {valid}{'x' * 10_000}")
    assert identity.LONGEST_TOKEN < len(token) < 2 * identity.LONGEST_TOKEN
    assert identity.guest_id_from(token) is None


def test_our_cookies_are_kept_beside_long_ones():
    token = identity.token_for(2**63 - 1)
    header = (
        f'a={"x" * 5000}; guest={token}; b="{chr(92) * 5000}"; csrftoken={"y" * 64}; theme=dark'
    )
    kept = parse_cookie(identity.short_cookies(header))
    assert kept == {"guest": token, "csrftoken": "y" * 64, "theme": "dark"}
