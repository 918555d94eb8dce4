"""Text to token ids and back, with honest labels."""

import difflib
import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from transformer_core.errors import InputError

_CJK = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE = re.compile(rf"<[a-z]+>|[{_CJK}]+|[^\W{_CJK}_]+(?:['’-][^\W{_CJK}_]+)*|[^\s]")
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_LONGEST_SHOWN = 40


@dataclass(frozen=True)
class WordTokenizer:
    """One token for each known word, lower-case; the id is the place in `vocabulary`.

    A run of Chinese characters is cut into known words: the longest first, and where that gets stuck, the
    cut with the fewest words. Punctuation marks are tokens of their own.
    """

    vocabulary: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "vocabulary", tuple(self.vocabulary))
        if len(set(self.vocabulary)) != len(self.vocabulary) or not all(self.vocabulary):
            raise InputError("vocabulary", "a word is empty or there twice", "list each word once")

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.vocabulary)}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.vocabulary), default=0)

    @property
    def hash(self) -> str:
        """64 hex digits, the same for the same vocabulary."""
        return hashlib.sha256(self._json().encode()).hexdigest()

    def words(self, text: str) -> tuple[str, ...]:
        """The known words that the text consists of.

        Raises InputError for an empty text, and for an unknown word with the nearest known one.
        """
        found: list[str] = []
        for piece in _PIECE.findall(unicodedata.normalize("NFC", text).lower()):
            if piece in self._ids:
                found.append(piece)
            elif _CJK_RUN.fullmatch(piece):
                found += self._cut(piece)
            else:
                raise self._unknown(piece)
        if not found:
            raise InputError("prompt", "it is empty", "type at least one word")
        return tuple(found)

    def encode(self, text: str) -> tuple[int, ...]:
        """The token ids of a text. Raises InputError as `words` does."""
        return tuple(self._ids[word] for word in self.words(text))

    def id_of(self, word: str) -> int:
        """The id of one word. Raises InputError with the nearest known word."""
        if word.lower() not in self._ids:
            raise self._unknown(word)
        return self._ids[word.lower()]

    def labels(self, ids: tuple[int, ...]) -> tuple[str, ...]:
        """What people read for each id: the word itself."""
        return tuple(self.vocabulary[number] for number in ids)

    def nearest(self, word: str) -> str:
        """The known word, or mark for a mark, that looks most like this one."""
        alike = [known for known in self.vocabulary if _kind(known) == _kind(word)]
        written = [known for known in alike if not known.startswith("<")] or self.vocabulary
        start = word[: 2 * self._longest]  # what lies beyond makes no word nearer, and takes long to compare
        return max(written, key=lambda known: difflib.SequenceMatcher(None, start, known).ratio())

    def save(self, path: str | Path) -> None:
        """Write `vocabulary.json`: a list of words in the order of their ids."""
        Path(path).write_text(self._json() + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> "WordTokenizer":
        """Read `vocabulary.json`. Raises InputError for a file that is not a list of different words."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
            json.dumps(data, ensure_ascii=False).encode()  # an escape can hold half a character
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(
                str(path), f"cannot be read ({type(error).__name__})", "give a JSON list of words"
            ) from None
        if not isinstance(data, list) or not data or not all(isinstance(word, str) for word in data):
            raise InputError(str(path), "not a list of words", "give a JSON list of words")
        return cls(tuple(data))

    def _json(self) -> str:
        return json.dumps(list(self.vocabulary), ensure_ascii=False, indent=0)

    def _cut(self, run: str) -> list[str]:
        greedy, at = [], 0
        while at < len(run):
            word = next(
                (run[at:end] for end in range(min(len(run), at + self._longest), at, -1) if run[at:end] in self._ids),
                "",
            )
            if not word:
                return self._search(run)
            greedy.append(word)
            at += len(word)
        return greedy

    def _search(self, run: str) -> list[str]:
        best: list[list[str] | None] = [[]] + [None] * len(
            run
        )  # best[n]: fewest words that make the first n characters
        for end in range(1, len(run) + 1):
            for start in range(max(0, end - self._longest), end):
                before = best[start]
                if before is None or run[start:end] not in self._ids:
                    continue
                known = best[end]
                if known is None or len(before) + 1 < len(known):
                    best[end] = [*before, run[start:end]]
        if best[-1] is None:
            start = max(number for number, cut in enumerate(best) if cut is not None)
            known = (end for end in range(start + 1, len(run)) if self._starts_with_word(run[end:]))
            raise self._unknown(run[start : next(known, len(run))])
        return best[-1]

    def _starts_with_word(self, text: str) -> bool:
        return any(text[:end] in self._ids for end in range(1, self._longest + 1))

    def _unknown(self, word: str) -> InputError:
        return InputError(
            f"word {word if len(word) <= _LONGEST_SHOWN else word[:_LONGEST_SHOWN] + '…'!r}",
            "the model does not know it",
            f"the nearest word it knows is {self.nearest(word)!r}",
        )


def _kind(word: str) -> tuple[bool, bool]:
    """Whether a word has letters, and whether they are Chinese ones."""
    return word[:1].isalnum(), bool(_CJK_RUN.match(word))
