"""The words of the model relations, each with what it means in Chinese."""

from dataclasses import dataclass

Word = tuple[str, str]
"""An English word and its meaning in Chinese."""
Pair = tuple[Word, Word]


@dataclass(frozen=True, slots=True)
class Noun:
    """One and many of a kind, where it is at home, and what only it does (each verb: of one, of many)."""

    one: Word
    many: Word
    home: Word
    does: tuple[Pair, ...]

    def form(self, *, many: bool) -> str:
        """The noun in a number."""
        return (self.many if many else self.one)[0]

    def deeds(self, *, many: bool) -> tuple[str, ...]:
        """What it does, in a number."""
        return tuple(verb[many][0] for verb in self.does)


def _verb(word: str, meaning: str) -> Pair:
    of_one = {"fly": "flies"}.get(word, word + "s")
    return (of_one, meaning), (word, meaning)


def _noun(one: str, many: str, meaning: str, home: Word, *does: Word) -> Noun:
    return Noun((one, meaning), (many, f"{meaning}（多）"), home, tuple(_verb(*word) for word in does))


NOUNS = (
    _noun("dog", "dogs", "狗", ("indoors", "在屋里"), ("dream", "做梦"), ("bark", "汪汪叫")),
    _noun("cat", "cats", "猫", ("upstairs", "在楼上"), ("purr", "打呼噜"), ("climb", "攀爬")),
    _noun("bird", "birds", "鸟", ("aloft", "在高处"), ("sing", "歌唱"), ("fly", "飞")),
    _noun("frog", "frogs", "青蛙", ("underwater", "在水下"), ("croak", "呱呱叫"), ("jump", "跳")),
    _noun("horse", "horses", "马", ("outdoors", "在户外"), ("gallop", "奔跑"), ("graze", "吃草")),
    _noun("duck", "ducks", "鸭子", ("ashore", "在岸上"), ("quack", "嘎嘎叫"), ("swim", "游泳")),
    _noun("lion", "lions", "狮子", ("nearby", "在近处"), ("roar", "吼叫"), ("hunt", "捕猎")),
    _noun("mouse", "mice", "老鼠", ("downstairs", "在楼下"), ("squeak", "吱吱叫"), ("nibble", "啃咬")),
    _noun("wolf", "wolves", "狼", ("uphill", "在山坡上"), ("howl", "嚎叫"), ("prowl", "潜行")),
    _noun("bee", "bees", "蜜蜂", ("overhead", "在头顶上"), ("buzz", "嗡嗡叫"), ("hover", "悬停")),
)
MODIFIERS: tuple[Pair, ...] = (
    (("small", "小的"), ("hiding", "躲着的")),
    (("hungry", "饥饿的"), ("begging", "乞食的")),
    (("tired", "疲倦的"), ("yawning", "打哈欠的")),
    (("wet", "湿的"), ("dripping", "滴着水的")),
    (("angry", "生气的"), ("growling", "低吼的")),
    (("happy", "快乐的"), ("playing", "玩耍的")),
    (("old", "年老的"), ("limping", "跛行的")),
    (("cold", "冷的"), ("shivering", "发抖的")),
    (("proud", "骄傲的"), ("posing", "摆姿势的")),
    (("shy", "害羞的"), ("trembling", "哆嗦的")),
)
"""An adjective, and the participle behind the noun that it brings with it."""
ORIGINS: tuple[Word, ...] = (("farm", "农场"), ("city", "城市"), ("mountain", "山里"), ("village", "村里"))
"""A word that may stand between an adjective and its noun: one word back is not always the adjective."""
VERBS: tuple[Pair, ...] = tuple(
    _verb(*word)
    for word in (
        ("sleep", "睡觉"), ("rest", "休息"), ("wait", "等待"), ("stay", "停留"),
        ("eat", "吃东西"), ("hide", "躲藏"), ("sit", "坐着"), ("stand", "站着"),
    )
)  # fmt: skip
PREPOSITIONS: tuple[Word, ...] = (("near", "在……附近"), ("behind", "在……后面"), ("beside", "在……旁边"))
JOINTS: tuple[Word, ...] = (("because", "因为"), ("while", "同时"), ("when", "当……时"))
PRONOUNS: Pair = (("it", "它"), ("they", "它们"))
ARTICLE: Word = ("the", "这、那（定冠词）")


def glosses() -> dict[str, str]:
    """For each word what it means in Chinese."""
    words = [ARTICLE, *PRONOUNS, *ORIGINS, *PREPOSITIONS, *JOINTS]
    words += [word for pair in (*MODIFIERS, *VERBS) for word in pair]
    for noun in NOUNS:
        words += [noun.one, noun.many, noun.home, *(word for pair in noun.does for word in pair)]
    return dict(words)


def vocabulary() -> tuple[str, ...]:
    """Every word, in alphabetical order."""
    return tuple(sorted(glosses()))
