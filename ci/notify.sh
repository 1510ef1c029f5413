#!/usr/bin/env bash
# Sends one line about the night to a webhook of Slack, Mattermost or Rocket.Chat. Without a URL, it does nothing.
# If the webhook fails, it prints a warning: it must not hide the verdict. Needs the command on the PATH (ci/install.sh).
#
#   BANKING_API_WEBHOOK  URL of the webhook, a secret
#   REPORT               the JSON report
#   RUN_URL              page of the run
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
url=${BANKING_API_WEBHOOK:-}
report=${REPORT:-banking-api-reports/report.json}
if [ -z "$url" ] || [ ! -s "$report" ]; then exit 0; fi

if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::add-mask::$url"; fi
body=$(node "$here/report.mjs" line <(banking-api report gitlab "$report" 2>/dev/null) || true)
# Every process of the machine can read a command line, so the URL is not on one. Messages of curl do not contain it.
if ! printf 'url = "%s"\n' "$url" |
  curl --config - --silent --fail --max-time 20 --output /dev/null --header 'content-type: application/json' --data "$body"; then
  echo '::warning title=Webhook::The message could not be delivered.'
fi
