#!/bin/sh
# Issues one card with curl. Its arguments are further options, such as --retry-all-errors. Exits with 1 unless it worked.
answer=$(curl -sS -u "$BANKING_API_USERNAME:$BANKING_API_PASSWORD" -d grant_type=client_credentials \
  "$BANKING_API_BASE_URL/iam/oauth/token")
token=$(printf %s "$answer" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl -sS --fail --max-time 3 "$@" -o /dev/null -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
  -d '{"alias":"Travel","cardDesign":"blue"}' "$BANKING_API_BASE_URL/wallet/api/customers/c1/cards" || exit 1
