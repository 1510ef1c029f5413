#!/usr/bin/env bash
# Runs banking-api verify with the INPUT_… variables and all reports for a pipeline. Ends with its exit code, or with 0 if INPUT_FAIL is
# false. Needs the command on the PATH (ci/install.sh).
# Outputs (GITHUB_OUTPUT): verdict, exit-code, reports.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

reports=${INPUT_REPORTS:-banking-api-reports}
args=(verify)
# GitHub and YAML also write True and FALSE.
is() { [ "$(printf %s "$1" | tr '[:upper:]' '[:lower:]')" = "$2" ]; }
# Lines without indentation, comments and empty lines.
lines() { printf '%s\n' "$1" | sed 's/^[[:space:]]*//; s/[[:space:]]#.*//; s/[[:space:]]*$//; /^#/d; /^$/d'; }
add() { if [ -n "$2" ]; then args+=("--$1=$2"); fi; }
add target "${INPUT_TARGET:-}"
add config "${INPUT_CONFIG:-}"
add baseline "${INPUT_BASELINE:-}"
add allow "${INPUT_ALLOW:-}"
add fail-on "${INPUT_FAIL_ON:-}"
add history "${INPUT_HISTORY:-}"
add learn "${INPUT_LEARN:-}"
if is "${INPUT_JOURNAL:-}" true; then args+=("--journal=$reports/journal.ndjson"); fi
if is "${INPUT_PROBE:-}" true; then args+=(--probe); fi
while IFS= read -r overlay; do add overlay "$overlay"; done < <(lines "${INPUT_OVERLAYS:-}")
while IFS= read -r argument; do args+=("$argument"); done < <(lines "${INPUT_ARGS:-}")
args+=(
  --report=github
  "--report=json=$reports/report.json"
  "--report=markdown=$reports/report.md"
  "--report=html=$reports/report.html"
  "--report=sarif=$reports/report.sarif"
  "--report=junit=$reports/junit.xml"
)

# A report of an earlier run must not look like a report of this run.
rm -f -- "$reports"/report.{json,md,html,sarif} "$reports"/{junit.xml,journal.ndjson,verify.log}

mkdir -p -- "$reports"
banking-api "${args[@]}" 2> >(tee -- "$reports/verify.log" >&2)
code=$?

case $code in
  0 | 5) verdict=agrees ;;
  1) verdict=drift ;;
  4) verdict=inconclusive ;;
  130) verdict=interrupted ;;
  *) verdict= ;;
esac
# Another program with this name could end with one of these codes. Without a report, nothing was judged.
if [ ! -s "$reports/report.json" ]; then
  verdict=
  if [ "$code" -lt 2 ] || [ "$code" -eq 4 ] || [ "$code" -eq 5 ]; then code=70; fi
fi

if [ -n "${GITHUB_ACTIONS:-}" ]; then
  case $code in
    1) echo '::error title=Drift::The API differs from its contract; the report names each difference.' ;;
    4)
      reasons=$(node "$here/report.mjs" why "$reports/report.json" 2>/dev/null)
      while IFS= read -r reason; do
        echo "::warning title=Inconclusive::${reason//%/%25}"
      done <<<"${reasons:-Something could not be checked. The report says why.}"
      ;;
    5) echo '::warning title=Stale baseline::It agrees, but the baseline accepts what is gone. accept --prune removes it.' ;;
    0 | 130) ;;
    *) echo "::error title=Not run::Nothing was judged (exit $code); the log says why." ;;
  esac
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  {
    echo "verdict=$verdict"
    echo "exit-code=$code"
    echo "reports=$reports"
  } >>"$GITHUB_OUTPUT"
fi
if is "${INPUT_FAIL:-}" false; then exit 0; fi
exit "$code"
