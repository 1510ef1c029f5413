"""Issues one card with requests, as it is or with retries of urllib3 for every method. Exits with 1 unless it worked."""

import os
import sys
import uuid

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

base = os.environ["BANKING_API_BASE_URL"]
session = requests.Session()
if sys.argv[1] == "urllib3-every-method":
    retry = Retry(total=2, backoff_factor=0.05, allowed_methods=None, status_forcelist=[502, 503])
    session.mount(base, HTTPAdapter(max_retries=retry))
answer = session.post(
    f"{base}/iam/oauth/token",
    auth=(os.environ["BANKING_API_USERNAME"], os.environ["BANKING_API_PASSWORD"]),
    data={"grant_type": "client_credentials"},
    timeout=30,
)
session.headers["authorization"] = f"Bearer {answer.json()['access_token']}"
alias = f"Travel {uuid.uuid4()}" if sys.argv[2:] == ["fresh"] else "Travel"
card = {"alias": alias, "cardDesign": "blue"}
try:
    session.post(f"{base}/wallet/api/customers/c1/cards", json=card, timeout=3).raise_for_status()
except requests.RequestException as error:
    sys.exit(type(error).__name__)
