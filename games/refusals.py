"""The one way to say no, from the rules to the wire."""

from games.sentences import Sentence


class Refusal(Exception):
    """A stable `code` for programs, a sentence for people, and the HTTP status that fits."""

    def __init__(self, code: str, text: Sentence, status: int = 400) -> None:
        super().__init__(text)
        self.code, self.text, self.status = code, text, status
