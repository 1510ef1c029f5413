#!/usr/bin/env bash
# Installs banking-api-contract with pactum and vitest: without install scripts, and without the credentials of the job.
# It uses the lock file of the working directory if that holds the package, else the one that comes with this script.
# Prints the folder of the commands, and adds it to GITHUB_PATH.
#
#   INPUT_VERSION  version of the package without such a lock file (the one that this script came with)
set -euo pipefail
unset BANKING_API_USERNAME BANKING_API_PASSWORD BANKING_API_WEBHOOK
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
flags=(--ignore-scripts --no-audit --no-fund)

if grep -qs '"node_modules/banking-api-contract"' package-lock.json; then
  folder=$PWD
  npm ci "${flags[@]}" >&2
else
  folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/banking-api.XXXXXX")
  cp "$here"/../generated/engines/*.json "$folder"
  # Without a version it is the one that this script came with: what runs tonight is what ran last night.
  version=${INPUT_VERSION:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/../package.json")}
  npm ci --prefix "$folder" "${flags[@]}" >&2
  npm install --prefix "$folder" --no-save "${flags[@]}" "banking-api-contract@$version" >&2
fi
if [ -n "${GITHUB_PATH:-}" ]; then echo "$folder/node_modules/.bin" >>"$GITHUB_PATH"; fi
echo "$folder/node_modules/.bin"
