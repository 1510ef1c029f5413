"""A caller with nothing but the standard library of Python: http.client, a connection for each thread."""

import base64
import json
import os
import threading
import time
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

BASE = os.environ["BANKING_API_BASE_URL"]
PAIR = f"{os.environ['BANKING_API_USERNAME']}:{os.environ['BANKING_API_PASSWORD']}"
HERE = threading.local()


def send(method, path, headers, body=None):
    if not hasattr(HERE, "connection"):
        HERE.connection = HTTPConnection(urlsplit(BASE).netloc, timeout=20)
    HERE.connection.request(method, path, body, {"user-agent": "http.client", **headers})
    answer = HERE.connection.getresponse()
    return answer.status, answer.read()


class Tokens:
    def __init__(self):
        self.lock = threading.Lock()
        self.value = None
        self.until = 0.0

    def get(self):
        with self.lock:
            if self.value is None or time.monotonic() >= self.until:
                status, text = send(
                    "POST",
                    "/iam/oauth/token",
                    {
                        "authorization": "Basic " + base64.b64encode(PAIR.encode()).decode(),
                        "content-type": "application/x-www-form-urlencoded",
                    },
                    b"grant_type=client_credentials",
                )
                if status != 200:
                    raise OSError(f"the token endpoint answered {status}")
                given = json.loads(text)
                life = given["expires_in"]
                self.value = given["access_token"]
                self.until = time.monotonic() + life - min(45, life / 10)
            return self.value

    def drop(self, value):
        with self.lock:
            if self.value == value:
                self.value = None


def get(token):
    return send("GET", "/wallet/api/customers/c1/cards/k1", {"authorization": f"Bearer {token}"})[0]


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
    except (OSError, HTTPException) as error:
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
