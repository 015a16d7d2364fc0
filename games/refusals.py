"""The one way to say no, from the rules to the wire."""

from games.sentences import Sentence


class Refusal(Exception):
    """A stable `code` for programs, a sentence for people, and the HTTP status that fits.

    `retry_after` is how many seconds to wait before trying again, if we know that.
    """

    def __init__(
        self, code: str, text: Sentence, status: int = 400, retry_after: float | None = None
    ) -> None:
        super().__init__(text)
        self.code, self.text, self.status = code, text, status
        self.retry_after = retry_after
