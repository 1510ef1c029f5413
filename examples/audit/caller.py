"""A caller that follows the API reference, with requests. Test it with

    npx banking-api-contract audit --drive -- python3 caller.py
"""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import requests

BASE = os.environ.get("BANKING_API_BASE_URL", "http://127.0.0.1:4010")
USERNAME = os.environ.get("BANKING_API_USERNAME", "sandbox")
PASSWORD = os.environ.get("BANKING_API_PASSWORD", "sandbox-secret")


class BearerAuth(requests.auth.AuthBase):
    """Keeps one token for all threads and retries once after 401."""

    def __init__(self):
        self._lock = threading.Lock()
        self._token = None
        self._renew_at = 0.0

    def token(self):
        with self._lock:  # all threads wait for one request
            if self._token is None or time.monotonic() >= self._renew_at:
                self._request()
            return self._token

    def drop(self, token):
        with self._lock:  # only if no other thread has replaced it
            if self._token == token:
                self._token = None

    def _request(self):
        response = requests.post(
            f"{BASE}/iam/oauth/token",
            auth=(USERNAME.encode(), PASSWORD.encode()),
            data={"grant_type": "client_credentials"},
            timeout=10,
        )
        response.raise_for_status()
        answer = response.json()
        lifetime = answer["expires_in"]
        # 45 seconds before it expires, or a tenth of a short lifetime. This response states the lifetime.
        self._renew_at = time.monotonic() + lifetime - min(45, lifetime / 10)
        self._token = answer["access_token"]

    def __call__(self, request):
        token = self.token()
        request.headers["Authorization"] = f"Bearer {token}"
        request.register_hook("response", lambda response, **options: self._retry(response, token, options))
        return request

    def _retry(self, response, token, options):
        if response.status_code != 401:
            return response
        response.content  # frees the connection
        self.drop(token)
        again = response.request.copy()
        again.headers["Authorization"] = f"Bearer {self.token()}"
        again.deregister_hook("response", again.hooks["response"][0])
        second = response.connection.send(again, **options)
        second.history.append(response)
        second.request = again
        return second


session = requests.Session()
session.auth = BearerAuth()


def work(_):
    try:
        response = session.get(f"{BASE}/wallet/api/customers/c1/cards/k1", timeout=30)
        print(response.status_code)
    except requests.RequestException as error:
        print(type(error).__name__)


count = int(os.environ.get("BANKING_API_REQUESTS", "1"))
parallel = os.environ.get("BANKING_API_SITUATION") == "parallel"
with ThreadPoolExecutor(count if parallel else 1) as pool:
    list(pool.map(work, range(count)))
