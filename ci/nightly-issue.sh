#!/usr/bin/env bash
# Keeps one issue for the drift of a target: opens it on the first night, updates it on the next ones, and closes it on the first night
# that agrees. A night without a verdict changes nothing. --fail-on of verify decides which findings are drift.
# The issue stores a hash of its target. A night with another target never closes it. An issue without a hash gets a comment.
#
#   VERDICT  agrees, drift, inconclusive, interrupted or empty (from ci/verify.sh)
#   REPORT   the Markdown report (report.md); its last line has digests of the findings and the target, and the counts
#   LABEL    label of the issue (banking-api-drift)
#   RUN_URL  page of the run, shown in the issue
#
# Needs gh with GH_TOKEN, and GH_REPO outside a checkout.
set -euo pipefail

verdict=${VERDICT:-}
report=${REPORT:-banking-api-reports/report.md}
label=${LABEL:-banking-api-drift}
run=${RUN_URL:-}
title='The banking API differs from its contract'
link=''
if [ -n "$run" ]; then link=" ([run]($run))"; fi

# Texts of a target never fill a whole line, so they cannot imitate this line.
mark() {
  { sed -n "s/^<!-- banking-api \(.* \)\{0,1\}$1=\([0-9a-f]*\) .*-->\$/\2/p" "$report" 2>/dev/null || true; } | tail -n 1
}
some() { if [ "$1" -eq 1 ]; then echo "$1 $2"; else echo "$1 $2s"; fi; }

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

target=$(mark target)
# One line per open issue: its number, and the hash of its target or "-".
issues=$(gh issue list --state open --label "$label" --limit 100 --json number,body --jq \
  'sort_by(.number)[] | "\(.number) \([.body | scan("(?:^|\n)<!-- banking-api [^\n]*target=([0-9a-f]+) ")] | (last // ["-"])[0])"')
of() { awk -v target="$1" '$2 == target { print $1; exit }' <<<"$issues"; }
open=''
if [ -n "$target" ]; then open=$(of "$target"); fi
unmarked=$(of -)

if [ "$verdict" = agrees ] && [ -z "$open" ] && [ -n "$unmarked" ]; then
  gh issue comment "$unmarked" --body "Tonight's target agrees with its contract$link. This issue names no target, so it stays open. Close it by hand." >/dev/null
  echo "Issue $unmarked names no target and stays open."
  exit 0
fi
if [ "$verdict" = agrees ]; then
  if [ -z "$open" ]; then
    echo 'It agrees, and no issue of this target is open.'
    exit 0
  fi
  warnings=$(mark warning)
  accepted=$(mark accepted)
  left=''
  if [ "${warnings:-0}" -gt 0 ]; then left=$(some "$warnings" warning); fi
  if [ "${accepted:-0}" -gt 0 ]; then left="${left:+$left, }$(some "$accepted" 'accepted difference')"; fi
  if [ -n "$left" ]; then
    comment="Nothing fails the nightly run any more$link. Still there: $left."
  else
    comment="The API agrees with its contract again$link."
  fi
  gh issue close "$open" --reason completed --comment "$comment"
  echo "Closed issue $open."
  exit 0
fi

body=$(mktemp)
trap 'rm -f "$body"' EXIT
# The digest covers all findings, including those that the report has no room for.
digest=$(mark findings)
{
  cat "$report"
  printf '\nLast night that showed it: %s%s\n' "$(date -u +%F)" "$link"
} >"$body"

# An issue without a hash gets tonight's.
open=${open:-$unmarked}
if [ -z "$open" ]; then
  gh label create "$label" --description 'Nightly contract run' --color B60205 --force >/dev/null
  gh issue create --title "$title" --label "$label" --body-file "$body"
  exit 0
fi

before=$(gh issue view "$open" --json body --jq .body)
gh issue edit "$open" --body-file "$body" >/dev/null
case $before in
  *"<!-- banking-api findings=$digest "*) echo "Issue $open is up to date." ;;
  *)
    gh issue comment "$open" --body "Other findings than last night$link; the description has them." >/dev/null
    echo "Issue $open has news."
    ;;
esac
