"""A caller with nothing but the standard library of Python: urllib."""

import base64
import json
import os
import threading
import time
import urllib.error
import urllib.request

BASE = os.environ["BANKING_API_BASE_URL"]
PAIR = f"{os.environ['BANKING_API_USERNAME']}:{os.environ['BANKING_API_PASSWORD']}"
CARD = f"{BASE}/wallet/api/customers/c1/cards/k1"


class Tokens:
    def __init__(self):
        self.lock = threading.Lock()
        self.value = None
        self.until = 0.0

    def get(self):
        with self.lock:
            if self.value is None or time.monotonic() >= self.until:
                request = urllib.request.Request(
                    f"{BASE}/iam/oauth/token",
                    data=b"grant_type=client_credentials",
                    headers={"authorization": "Basic " + base64.b64encode(PAIR.encode()).decode()},
                )
                with urllib.request.urlopen(request, timeout=10) as answer:
                    given = json.load(answer)
                life = given["expires_in"]
                self.value = given["access_token"]
                self.until = time.monotonic() + life - min(45, life / 10)
            return self.value

    def drop(self, value):
        with self.lock:
            if self.value == value:
                self.value = None


def get(token):
    request = urllib.request.Request(CARD, headers={"authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        error.read()
        return error.code


def call(tokens):
    token = tokens.get()
    status = get(token)
    if status == 401:
        tokens.drop(token)
        status = get(tokens.get())
    return status


def safely(tokens):
    try:
        call(tokens)
    except OSError as error:
        print(error)


def main():
    tokens = Tokens()
    requests = int(os.environ.get("BANKING_API_REQUESTS", "1"))
    if os.environ.get("BANKING_API_SITUATION") == "parallel":
        threads = [threading.Thread(target=safely, args=[tokens]) for _ in range(requests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        for _ in range(requests):
            safely(tokens)


main()
