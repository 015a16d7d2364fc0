"""Which database errors count as a lock timeout."""

import sqlite3

import dj_database_url
import pytest
from django.db import DatabaseError, OperationalError
from django.db.utils import ConnectionHandler

from games.matches.database import is_lock_timeout
from tests.datastores import postgresql


def connections_to(url, **options):
    """Open two separate Django connections to a database."""
    settings = {**dj_database_url.parse(url), "OPTIONS": options, "TIME_ZONE": None}
    handler = ConnectionHandler({"default": settings, "other": settings})
    return handler["default"], handler["other"]


def failure(connection, statement):
    with pytest.raises(DatabaseError) as caught, connection.cursor() as cursor:
        cursor.execute(statement)
    return caught.value


def run(connection, *statements):
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def test_sqlite(tmp_path, django_db_blocker):
    with django_db_blocker.unblock():
        one, two = connections_to(f"sqlite:///{tmp_path / 'test.sqlite3'}", timeout=0.05)
        run(one, "CREATE TABLE numbers (number int PRIMARY KEY)", "BEGIN IMMEDIATE")
        assert is_lock_timeout(failure(two, "INSERT INTO numbers VALUES (1)"))
        run(one, "ROLLBACK")
        assert not is_lock_timeout(failure(two, "INSERT INTO nowhere VALUES (1)"))
        run(two, "INSERT INTO numbers VALUES (1)")
        assert not is_lock_timeout(failure(two, "INSERT INTO numbers VALUES (1)"))
        one.close()
        two.close()


def test_postgresql(tmp_path, django_db_blocker):
    with postgresql(tmp_path) as url, django_db_blocker.unblock():
        one, two = connections_to(url)
        run(one, "CREATE TABLE numbers (number int)", "BEGIN", "LOCK TABLE numbers")
        run(two, "SET lock_timeout = 50")
        assert is_lock_timeout(failure(two, "INSERT INTO numbers VALUES (1)"))
        run(two, "SET lock_timeout = 0", "SET statement_timeout = 50")
        assert is_lock_timeout(failure(two, "SELECT pg_sleep(5)"))
        assert not is_lock_timeout(failure(two, "INSERT INTO nowhere VALUES (1)"))
        run(one, "ROLLBACK")
        one.close()
        two.close()


def test_other_errors_about_locks_do_not_count():
    assert not is_lock_timeout(OperationalError("database is locked"))
    error = OperationalError("the door is locked")
    error.__cause__ = sqlite3.OperationalError("the door is locked")
    assert not is_lock_timeout(error)
