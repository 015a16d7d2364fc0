from games.catalogue import KITS
from tests.games import folder_of
from tests.golden import as_text, playthrough, transcript

for slug, kit in KITS.items():
    (folder_of(slug) / "playthrough.json").write_text(as_text(playthrough(kit)))
    (folder_of(slug) / "transcript.txt").write_text(transcript(kit))
