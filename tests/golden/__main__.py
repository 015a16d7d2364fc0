from games.rules import GAMES
from tests.golden import FOLDER, as_text, playthrough, transcript

for slug in GAMES:
    (FOLDER / f"{slug}.json").write_text(as_text(playthrough(slug)))
    (FOLDER / f"{slug}.txt").write_text(transcript(slug))
