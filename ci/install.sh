#!/usr/bin/env bash
# Installs banking-api-contract with pactum and vitest, without install scripts and without the credentials of the job.
# Uses the lock file of the working directory if it contains the package, otherwise the lock file beside this script.
# Prints the folder of the commands, and adds it to GITHUB_PATH.
#
#   INPUT_VERSION  version of the package without such a lock file (default: the version of this script)
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
  # The default is a fixed version, so that every night runs the same code.
  version=${INPUT_VERSION:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/../package.json")}
  npm ci --prefix "$folder" "${flags[@]}" >&2
  npm install --prefix "$folder" --no-save "${flags[@]}" "banking-api-contract@$version" >&2
fi
if [ -n "${GITHUB_PATH:-}" ]; then echo "$folder/node_modules/.bin" >>"$GITHUB_PATH"; fi
echo "$folder/node_modules/.bin"
