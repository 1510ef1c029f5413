#!/usr/bin/env bash
# Proposes the shapes that a green night has learned (INPUT_LEARN) as a pull request, or updates the open one.
#
#   INPUT_LEARN  the recording; verify writes FILE.new beside it
#   RUN_URL      page of the run, named in the pull request
#
# Needs gh with GH_TOKEN, a checkout, and the permissions "contents: write" and "pull-requests: write".
set -euo pipefail
recording=${INPUT_LEARN:-}
branch=banking-api-learned
if [ -z "$recording" ] || [ ! -s "$recording.new" ]; then exit 0; fi

base=$(git rev-parse --abbrev-ref HEAD)
git switch --quiet --force-create "$branch"
mv -- "$recording.new" "$recording"
git add -- "$recording"
if git diff --cached --quiet; then exit 0; fi
git -c user.name='banking-api' -c user.email='banking-api@users.noreply.github.com' commit --quiet \
  -m 'Record new shapes of the banking API'
git push --quiet --force origin "$branch"
if [ "$(gh pr list --head "$branch" --state open --json number --jq length)" -gt 0 ]; then
  echo 'The pull request is up to date.'
  exit 0
fi
gh pr create --head "$branch" --base "$base" --title 'Record new shapes of the banking API' \
  --body "The nightly run agrees with the contract and saw shapes that the recording lacks. ${RUN_URL:-}"
