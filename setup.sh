#!/bin/sh
# Makes .venv with everything that the project needs. Run it again at any time: it does only what is missing.
# PYTHON=/path/to/python3 chooses the Python to build from.
set -eu

unset CDPATH
cd "$(dirname "$0")"
here=$(pwd -P)
stamp=.venv/setup.stamp
unfinished=.venv.unfinished

say() { printf 'setup: %s\n' "$*" >&2; }
refuse() { say "$*"; exit 2; }

# The checkout's own place is part of the key: a .venv does not survive a move.
wanted() { { cat pyproject.toml constraints.txt setup.sh; printf '%s\n' "$here"; } | cksum; }
ready() {
  [ -f "$stamp" ] && [ ! -e "$unfinished" ] && [ "$(cat "$stamp")" = "$(wanted)" ] && .venv/bin/python -c '' 2>/dev/null
}

ready && exit 0

# One set-up at a time; the lock falls with the process that holds it.
if command -v flock >/dev/null 2>&1; then
  exec 9>.venv.lock
  flock -n 9 || { say "another set-up of this checkout is running; waiting for it"; flock 9; }
  if ready; then exit 0; fi
fi

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
  if [ -n "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- python3 python3.13 python3.12 python3.11 python3.14; fi
  for candidate in "$@"; do
    if command -v "$candidate" >/dev/null 2>&1 && new_enough "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
}

asked() { "$python" -c "$1" 2>/dev/null; }
has_venv() { asked 'import venv, ensurepip'; }
has_headers() { asked 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))'; }
has_compiler() { command -v cc >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || command -v clang >/dev/null 2>&1; }
has_pkg_config() { command -v pkg-config >/dev/null 2>&1; }
has_pango() { has_pkg_config && pkg-config --exists pangocairo pangoft2; }
has_cairo() { has_pkg_config && pkg-config --exists cairo; }

system() {
  if [ "$(uname -s)" = Darwin ]; then echo brew
  elif command -v apt-get >/dev/null 2>&1; then echo apt
  elif command -v dnf >/dev/null 2>&1; then echo dnf
  elif command -v pacman >/dev/null 2>&1; then echo pacman
  else echo unknown
  fi
}

# package DEBIAN FEDORA ARCH MACOS: its name on this system, "-" where something else brings it.
package() {
  case $system in apt) name=$1 ;; dnf) name=$2 ;; pacman) name=$3 ;; brew) name=$4 ;; *) name=$1 ;; esac
  [ "$name" = - ] || missing="$missing $name"
}

look() {
  missing=
  python=$(find_python)
  if [ -z "$python" ]; then
    package python3 python3 python python@3.13
    package python3-venv - - -
    package python3-dev python3-devel - -
  else
    # Debian and Fedora pack each Python by its version: python3.11-venv, python3.11-dev.
    version=$(asked 'import sys; print("%d.%d" % sys.version_info[:2])')
    has_venv || package "python$version-venv" - - -
    has_headers || package "python$version-dev" "python$version-devel" - -
  fi
  has_compiler || package gcc gcc gcc -
  has_pkg_config || package pkg-config pkgconf-pkg-config pkgconf pkg-config
  has_pango || package libpango1.0-dev pango-devel pango pango
  has_cairo || package libcairo2-dev cairo-devel cairo cairo
  missing=${missing# }
}

line() {
  sudo=sudo; [ "$(id -u)" != 0 ] || sudo=
  case $system in
    apt) echo "$sudo apt-get install -y $missing" ;;
    dnf) echo "$sudo dnf install -y $missing" ;;
    pacman) echo "$sudo pacman -S --needed $missing" ;;
    brew) echo "brew install $missing" ;;
    *) echo "with your system's installer, what Debian calls $missing" ;;
  esac | sed 's/^ //'
}

# A Python is there, but none that is new enough: the system's own packages will not change that.
refuse_old_python() {
  [ -z "$python" ] && command -v "${PYTHON:-python3}" >/dev/null 2>&1 || return 0
  old=$("${PYTHON:-python3}" --version 2>&1)
  refuse "${PYTHON:-python3} is $old and 3.11 or newer is needed; install one, then run: PYTHON=/path/to/python3.11 sh setup.sh"
}

system=$(system)
look
refuse_old_python
if [ -n "$missing" ] && [ "$system" = apt ] && [ "$(id -u)" = 0 ]; then
  say "installing with apt-get: $missing"
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >.venv.log 2>&1 </dev/null 9>&-; }
  install || { apt-get update -qq >/dev/null 2>&1 || true; install; } || { tail -n 5 .venv.log >&2; refuse "apt-get could not install them; run: $(line)"; }
  rm -f .venv.log
  look
  refuse_old_python
fi
if [ "$system" = brew ] && ! has_compiler; then refuse "a C compiler is missing; run: xcode-select --install && sh setup.sh"; fi
[ -z "$missing" ] || refuse "something is missing; run: $(line) && sh setup.sh"

# A set-up that was cut short leaves this mark, and what it left behind is not trusted.
trusted() { [ ! -e "$unfinished" ] && in_place && new_enough .venv/bin/python && .venv/bin/python -c 'import pip' 2>/dev/null; }
in_place() { [ "$(cat .venv/setup.place 2>/dev/null || echo "$here")" = "$here" ]; }
if trusted; then
  : >"$unfinished"
else
  : >"$unfinished"
  say "making .venv from $python (Python $version)"
  "$python" -m venv --clear .venv
fi
printf '%s\n' "$here" >.venv/setup.place

say "installing the project and its tests into .venv (several minutes the first time)"
quiet=--quiet; [ ! -t 2 ] || quiet=
export PIP_USE_PEP517=1 # an older pip would warn of the one dependency that has no pyproject.toml
.venv/bin/python -m pip install $quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]' >&2 ||
  { say "pip could not install the project, for the reason above; then run again: sh setup.sh"; exit 1; }
.venv/bin/python -c 'import cairo, click, manimpango' ||
  { say "the installed libraries do not load, for the reason above"; exit 1; }

wanted >"$stamp"
rm -f "$unfinished"
say "ready"
