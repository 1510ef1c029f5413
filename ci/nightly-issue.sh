#!/usr/bin/env bash
# One issue for the drift of a nightly run: opened on the first night, brought up to date on the next ones, closed on the first
# night that agrees. A night that could not tell changes nothing.
#
#   VERDICT  agrees, drift, inconclusive, interrupted or empty (from ci/verify.sh)
#   REPORT   the Markdown report (report.md)
#   LABEL    label of the issue (banking-api-drift)
#   RUN_URL  page of the run, shown in the issue
#
# Needs gh with GH_TOKEN, and GH_REPO outside of a checkout.
set -euo pipefail

verdict=${VERDICT:-}
report=${REPORT:-banking-api-reports/report.md}
label=${LABEL:-banking-api-drift}
run=${RUN_URL:-}
title='The banking API differs from its contract'
link=''
if [ -n "$run" ]; then link=" ([run]($run))"; fi

case $verdict in
  agrees | drift) ;;
  inconclusive | interrupted)
    echo "The night was $verdict: the issue stays as it is."
    exit 0
    ;;
  *)
    echo 'Nothing was judged: the issue stays as it is.'
    exit 0
    ;;
esac

# The oldest open one; --limit holds more than one only if somebody opened another by hand.
open=$(gh issue list --state open --label "$label" --limit 100 --json number --jq 'map(.number) | sort | .[0] // empty')

if [ "$verdict" = agrees ]; then
  if [ -z "$open" ]; then
    echo 'It agrees, and no issue is open.'
    exit 0
  fi
  gh issue close "$open" --reason completed --comment "The API agrees with its contract again$link."
  echo "Closed issue $open."
  exit 0
fi

body=$(mktemp)
trap 'rm -f "$body"' EXIT
# What the report says apart from times: the set of findings decides whether there is news.
marks=$(grep -oE 'Fingerprint `[0-9a-f]{16}`' "$report" | sort -u | cksum | cut -d' ' -f1 || true)
{
  cat "$report"
  printf '\nLast night that showed it: %s%s\n\n<!-- banking-api findings: %s -->\n' "$(date -u +%F)" "$link" "$marks"
} >"$body"

if [ -z "$open" ]; then
  gh label create "$label" --description 'Nightly contract run' --color B60205 --force >/dev/null
  gh issue create --title "$title" --label "$label" --body-file "$body"
  exit 0
fi

before=$(gh issue view "$open" --json body --jq .body)
gh issue edit "$open" --body-file "$body" >/dev/null
case $before in
  *"<!-- banking-api findings: $marks -->"*) echo "Issue $open is up to date." ;;
  *)
    gh issue comment "$open" --body "Other findings than last night$link; the description has them." >/dev/null
    echo "Issue $open has news."
    ;;
esac
