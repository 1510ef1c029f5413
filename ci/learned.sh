#!/usr/bin/env bash
# Proposes the shapes that nights have learned (INPUT_LEARN) as a pull request, and adds the shapes of later nights to it.
# `learned.sh start` runs before verify: it continues with the shapes of the open pull request. `learned.sh` runs after verify.
# Only a branch whose last commit is our own is continued or overwritten. Otherwise, the next branch (…-2, …-3) starts from the base.
#
#   INPUT_LEARN    the recording; verify writes FILE.new beside it
#   INPUT_REPORTS  the folder with verify.log, which lists the new shapes (banking-api-reports)
#   RUN_URL        page of the run, named in the pull request
#
# Needs gh with GH_TOKEN, a checkout, and the permissions "contents: write" and "pull-requests: write".
set -euo pipefail
recording=${INPUT_LEARN:-}
if [ -z "$recording" ]; then exit 0; fi
if [ "${1:-}" != start ] && [ ! -s "$recording.new" ]; then exit 0; fi

us=banking-api@users.noreply.github.com
branch=''
for number in '' -2 -3 -4 -5 -6 -7 -8 -9; do
  branch=banking-api-learned$number
  last=$(git ls-remote origin "refs/heads/$branch" | cut -f 1)
  if [ -z "$last" ]; then break; fi
  git fetch --quiet origin "$branch"
  if [ "$(git log -1 --format='%ae %ce' "$last")" = "$us $us" ]; then break; fi
  branch=''
done
if [ -z "$branch" ]; then
  echo '::warning title=Not proposed::Merge or delete a branch banking-api-learned…: each has a commit of someone else.'
  exit 0
fi
open=0
if [ -n "$last" ]; then open=$(gh pr list --head "$branch" --state open --json number --jq length); fi

if [ "${1:-}" = start ]; then
  # The shapes of a closed pull request are merged or rejected.
  if [ "$open" -gt 0 ] && [ ! -e "$recording.new" ]; then git show "$last:./$recording" >"$recording.new"; fi
  exit 0
fi

if [ "$open" -gt 0 ] && git show "$last:./$recording" | cmp --quiet - "$recording.new"; then
  echo 'The pull request is up to date.'
  exit 0
fi
base=$(git rev-parse --abbrev-ref HEAD)
git switch --quiet --force-create "$branch"
mv -- "$recording.new" "$recording"
git add -- "$recording"
if git diff --cached --quiet; then exit 0; fi
git -c user.name='banking-api' -c user.email="$us" commit --quiet -m 'Record new shapes of the banking API'
git push --quiet --force-with-lease="$branch:$last" origin "$branch"

body=$(mktemp)
trap 'rm -f "$body"' EXIT
{
  printf 'The nightly runs saw shapes that the recording lacks. %s\n\n```\n' "${RUN_URL:-}"
  # A name of a field cannot end the block, and a body has at most 65,536 characters.
  sed -n 's/^  \([-+~] \)/\1/p' "${INPUT_REPORTS:-banking-api-reports}/verify.log" | tr -d '`' | head -c 60000
  printf '```\n'
} >"$body"
if [ "$open" -gt 0 ]; then
  gh pr edit "$branch" --body-file "$body"
else
  gh pr create --head "$branch" --base "$base" --title 'Record new shapes of the banking API' --body-file "$body"
fi
