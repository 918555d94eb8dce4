"""A small tree of HTML, and how it is written for pages of HTML, of JSX and of Vue.

Text and attribute values that are data are written so that no tool takes a sign of them for markup. What is
not data says so by its type.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.publish.embeds._text import entities, string

EMPTY = {"source", "track", "img"}
LINES = {"figure", "video", "picture", "figcaption", "details", "ol", "div", "section", "aside"}
"""Elements whose children stand on lines of their own."""
JSX_NAMES = {
    "class": "className",
    "playsinline": "playsInline",
    "srclang": "srcLang",
    "srcset": "srcSet",
    "tabindex": "tabIndex",
}


class Code(str):
    """A value that this project wrote: a class, a style, an encoded address."""


class Script(str):
    """A handler's body in JavaScript, over `event`."""


class Served(str):
    """The address of a file below the root of the site, of which the tool knows where that is."""


Value = bool | int | str


@dataclass(frozen=True)
class Element:
    """An element: tag, attributes, children. False leaves an attribute out, True writes its name alone."""

    tag: str
    attributes: Mapping[str, Value] = field(default_factory=dict)
    children: tuple[Element | str, ...] = ()


class Html:
    """HTML, and Markdown that lets it through."""

    def element(self, element: Element) -> str:
        """The element in lines, without a blank one, so that Markdown sees one block."""
        return "\n".join(self._lines(element))

    def text(self, text: str) -> str:
        """Data as text."""
        return str(text) if isinstance(text, Code) else entities(text)

    def attribute(self, name: str, value: Value) -> str:
        """` name="value"`."""
        if value is True:
            return f" {name}"
        shown = html.escape(value) if isinstance(value, Code | Script | Served) else entities(str(value))
        return f' {name}="{shown}"'

    def void(self, opening: str) -> str:
        """An element that has no end."""
        return f"<{opening}>"

    def style(self, rules: str) -> str:
        """A style sheet."""
        return f"<style>{rules}</style>"

    def _lines(self, element: Element) -> Iterator[str]:
        attributes = "".join(
            self.attribute(name, value) for name, value in element.attributes.items() if value is not False
        )
        opening, ending = f"{element.tag}{attributes}", f"</{element.tag}>"
        if element.tag in EMPTY:
            yield self.void(opening)
        elif element.tag in LINES:
            yield f"<{opening}>"
            for child in element.children:
                yield from self._lines(child) if isinstance(child, Element) else [self.text(child)]
            yield ending
        else:
            inner = (
                "".join(self._lines(child)) if isinstance(child, Element) else self.text(child)
                for child in element.children
            )
            yield f"<{opening}>{''.join(inner)}{ending}"


class Jsx(Html):
    """JSX inside MDX. A served address goes through Docusaurus, which knows the base of the site.

    Text that is more than words is an expression: plugins for emoji and links read all other text, after its
    entities are resolved.
    """

    BASE = "require('@docusaurus/useBaseUrl').default"

    def text(self, text: str) -> str:
        """Data as text."""
        return text if isinstance(text, Code) or entities(text) == text else f"{{{string(text)}}}"

    def attribute(self, name: str, value: Value) -> str:
        """` name="value"`, or an expression in braces."""
        name = JSX_NAMES.get(name, name)
        if name == "style":
            rules = [rule.split(":", 1) for rule in str(value).split(";")]
            return f" style={{{json.dumps({_camel(key): setting for key, setting in rules})}}}"
        if isinstance(value, Script):
            return f" onClick={{(event) => {{ {value} }}}}"
        if isinstance(value, Served):
            return f" {name}={{{self.BASE}({json.dumps(value)})}}"
        if isinstance(value, int) and not isinstance(value, bool):
            return f" {name}={{{value}}}"
        return super().attribute(name, value)

    def void(self, opening: str) -> str:
        """An element that has no end."""
        return f"<{opening} />"

    def style(self, rules: str) -> str:
        """A style sheet."""
        return f"<style>{{`{rules}`}}</style>"


class Vue(Html):
    """A Vue template inside Markdown. Addresses are expressions, so that the bundler leaves them alone."""

    def attribute(self, name: str, value: Value) -> str:
        """` name="value"`, or a binding."""
        if isinstance(value, Script):
            return super().attribute("@click", Code(f"(event) => {{ {value} }}"))
        if isinstance(value, Served):
            return super().attribute(f":{name}", Code(f"'{value}'"))
        return super().attribute(name, value)

    def void(self, opening: str) -> str:
        """An element that has no end."""
        return f"<{opening} />"


def _camel(name: str) -> str:
    first, *rest = name.strip().split("-")
    return first + "".join(part.capitalize() for part in rest)
