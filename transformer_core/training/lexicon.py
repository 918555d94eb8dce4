"""The words of the bundled corpus: for each meaning an English and a Chinese word, glosses of each other."""

from dataclasses import dataclass

ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)


@dataclass(frozen=True, slots=True)
class Word:
    """One meaning in both languages."""

    en: str
    zh: str

    def in_language(self, language: str) -> str:
        """The word in "en" or "zh"."""
        return self.en if language == ENGLISH else self.zh


def _words(text: str) -> tuple[Word, ...]:
    parts = text.split()
    return tuple(Word(en, zh) for en, zh in zip(parts[::2], parts[1::2], strict=True))


SHAPES = _words("fluffy 蓬松的 small 小小的 round 圆圆的 tall 高高的 strange 奇怪的")
COLOURS = _words("blue 蓝色的 red 红色的 white 白色的 black 黑色的 golden 金色的")
MOODS = _words("sleepy 困倦的 hungry 饥饿的 happy 快乐的 angry 生气的 shy 害羞的")
MOOD_VERBS = _words("snored 打着呼噜 hunted 寻找食物 sang 唱着歌 growled 大声吼叫 hid 悄悄躲藏")
AIRS = _words("quiet 安静的 ancient 古老的 lonely 荒凉的")
SIGHTS = _words("verdant 翠绿的 dark 黑暗的 snowy 积雪的 sunny 晴朗的")

ANIMALS = _words("""
    creature 生物 bear 熊 wolf 狼 fox 狐狸 rabbit 兔子 cat 猫 dog 狗 mouse 老鼠 sheep 绵羊 goat 山羊 deer 鹿
    lion 狮子 tiger 老虎 monkey 猴子 panda 熊猫 squirrel 松鼠 hedgehog 刺猬 badger 獾 otter 水獭 duck 鸭子
    goose 鹅 hen 母鸡 owl 猫头鹰 crow 乌鸦 swan 天鹅 sparrow 麻雀 eagle 老鹰 parrot 鹦鹉 penguin 企鹅
    frog 青蛙 turtle 乌龟 beetle 甲虫 butterfly 蝴蝶 donkey 毛驴 camel 骆驼
""")
PEOPLE = _words("""
    giant 巨人 wizard 巫师 king 国王 queen 王后 prince 王子 princess 公主 farmer 农夫 fisherman 渔夫
    hunter 猎人 soldier 士兵 child 孩子 girl 女孩 boy 男孩 sailor 水手 baker 面包师 shepherd 牧羊人
    nurse 护士 painter 画家 singer 歌手 traveller 旅人
""")
THINGS = _words("""
    apple 苹果 cake 蛋糕 book 书本 lamp 台灯 hat 帽子 bell 铃铛 flower 花朵 boat 小船 basket 篮子 ball 皮球
    key 钥匙 drum 小鼓 flute 笛子 kite 风筝 stone 石头 letter 信件 ring 戒指 umbrella 雨伞 candle 蜡烛
    mirror 镜子
""")
PLACES_IN = _words("""
    forest 森林 garden 花园 valley 山谷 desert 沙漠 village 村庄 town 小镇 castle 城堡 palace 宫殿 cave 山洞
    swamp 沼泽 orchard 果园 farm 农场 market 集市 park 公园 jungle 丛林
""")
PLACES_ON = _words("""
    meadow 草地 mountain 高山 hill 山坡 field 田野 island 小岛 bridge 石桥 road 大路 beach 海滩 tower 高塔
""")
PLACES_BY = _words("river 小河 lake 湖泊 sea 大海 harbour 港口")

ANIMAL_KINDS = _words("woodland 林间 circus 马戏团 wild 野生 arctic 北极 city 城市")
PEOPLE_KINDS = _words("royal 皇家 country 乡村 city 城市")
THING_KINDS = _words("wooden 木质 paper 纸质 glass 玻璃 silver 银质")
PLACE_KINDS = _words("northern 北方 southern 南方 eastern 东方 western 西方")

ROAMING = _words("""
    roamed 漫步 wandered 徘徊 strolled 散步 travelled 旅行 lived 居住 waited 等候 rested 休息 played 玩耍
""")
CROSSING = _words("""
    crossed 穿过 explored 探索 left 离开 loved 热爱 entered 走进 visited 游览 guarded 守护 admired 欣赏
    watched 凝望 reached 到达 remembered 记得 painted 描绘
""")
MEETING = _words("""
    met 遇见 followed 跟着 helped 帮助 saw 看见 called 呼唤 chased 追赶 thanked 感谢 hugged 拥抱 greeted 问候
    joined 陪伴
""")
HOLDING = _words("carried 带着 found 发现 held 拿着 bought 买了 lost 丢了 made 做了 sold 卖了 wanted 想要")
SURNAMES = _words("snape 斯内普 marsh 马什 finch 芬奇 hooper 胡珀 pike 派克 lane 莱恩")
TIMES = _words("once 从前 today 今天 yesterday 昨天 tonight 今晚 sometimes 有时")

#: Words of the grammar, with what a person would read in the other language.
ENGLISH_GLOSSES = {
    "a": "一", "an": "一", "the": "这", "one": "一", "and": "又", "as": "像", "ever": "往常", "in": "在…里",
    "near": "在…旁边", "beyond": "在…那边", "his": "他的", "her": "她的", "my": "我的", "our": "我们的",
    "least": "最不", "favourite": "最喜欢的", "teacher": "老师", "was": "是", "professor": "教授", ".": "。",
}  # fmt: skip
CHINESE_GLOSSES = {
    "一只": "a", "这只": "this", "那只": "that", "一位": "a", "这位": "this", "那位": "that", "一个": "a",
    "这个": "this", "那个": "that", "在": "in", "里": "inside", "上": "on", "边": "beside", "他": "his",
    "她": "her", "我": "my", "我们": "our", "最不喜欢的": "least favourite", "最喜欢的": "favourite",
    "老师": "teacher", "是": "was", "教授": "professor", "。": ".",
}  # fmt: skip

ADJECTIVES = SHAPES + COLOURS + MOODS + AIRS + SIGHTS
SUBJECTS = ANIMALS + PEOPLE
PLACES = PLACES_IN + PLACES_ON + PLACES_BY
CONTENT = (
    ADJECTIVES + MOOD_VERBS + SUBJECTS + THINGS + PLACES + ANIMAL_KINDS + PEOPLE_KINDS
    + THING_KINDS + PLACE_KINDS + ROAMING + CROSSING + MEETING + HOLDING + SURNAMES + TIMES
)  # fmt: skip


def own_verbs(language: str) -> dict[str, str]:
    """The verb that each adjective of mood brings with it: a sleepy bear snored."""
    return {
        mood.in_language(language): verb.in_language(language) for mood, verb in zip(MOODS, MOOD_VERBS, strict=True)
    }


def vocabulary() -> tuple[str, ...]:
    """Every word of both languages once: English first, in alphabetical order."""
    english = {word.en for word in CONTENT} | set(ENGLISH_GLOSSES)
    chinese = {word.zh for word in CONTENT} | set(CHINESE_GLOSSES)
    return (*sorted(english), *sorted(chinese))


def glosses() -> dict[str, str]:
    """For each word what it means in the other language."""
    table = {word.en: word.zh for word in CONTENT} | {word.zh: word.en for word in CONTENT}
    return table | ENGLISH_GLOSSES | CHINESE_GLOSSES
