"""Creates matches of Number Tower Duel in the database of a running server.

A measurement needs thousands of matches, and each would take two HTTP requests. This calls the same
services, so connecting and playing work as usual. Reads one count per line, and prints the ids of
that many new matches and the players' tokens.
"""

import json
import os
import sys

import django


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "numgames_site.settings"
    django.setup()
    from django.db import connection, transaction

    from games.matches import identity, services

    one, two = services.new_guest(), services.new_guest()
    tokens = [identity.token_for(guest.pk) for guest in (one, two)]
    for line in sys.stdin:
        ids = []
        with transaction.atomic():
            for _ in range(int(line)):
                match, _seat = services.create_match(
                    guest=one, game="number-tower-duel", starts="me"
                )
                services.join_match(match_id=match.pk, guest=two)
                ids.append(match.pk)
        connection.close()
        print(json.dumps({"ids": ids, "tokens": tokens}), flush=True)


if __name__ == "__main__":
    main()
