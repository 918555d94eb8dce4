"""The tools that a chapter can be built for: those whose pages are Markdown or HTML, as a chapter is."""

TARGETS = ("html", "markdown", "quarto", "myst", "mkdocs", "docusaurus", "vitepress", "hugo", "docsify")
