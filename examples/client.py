"""Uses the dog service with only the standard library of Python 3.9 or later."""

import base64
import json
import os
import time
import urllib.error
import urllib.request
import uuid

with open(os.environ.get("ACCESS_FILE", ".local/access.json"), encoding="utf-8") as file:
    access = json.load(file)

credentials = f"{access['username']}:{access['password']}".encode()
basic = "Basic " + base64.b64encode(credentials).decode()
dog = f"{access['base_url']}/v1/dogs/{uuid.uuid4()}"


class Problem(Exception):
    """A response with a problem document. `kind` is the part of the problem's type that never changes."""

    def __init__(self, status, document):
        super().__init__(f"{status}: {json.dumps(document)}")
        self.status = status
        self.kind = document.get("type", "").partition("#problem-")[2]


def check_origin(url):
    """Raises ValueError for a URL to which the program must not send the user's credentials."""
    if not url.startswith(f"{access['base_url']}/"):
        raise ValueError(f"{url!r} does not belong to the service.")


class RedirectsWithinService(urllib.request.HTTPRedirectHandler):
    """Checks the URL first, because urllib also sends the header Authorization to other hosts."""

    def redirect_request(self, request, file, code, message, headers, url):
        check_origin(url)
        return super().redirect_request(request, file, code, message, headers, url)


opener = urllib.request.build_opener(RedirectsWithinService)


def send(method, url, body=None, authorization=basic, **fields):
    """Returns the response and its document. Raises Problem if the status is 400 or higher."""
    headers = {"Accept": "application/json", **{name.replace("_", "-"): value for name, value in fields.items()}}
    if authorization:
        check_origin(url)
        headers["Authorization"] = authorization
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with opener.open(request, timeout=30) as response:
            text = response.read()
            return response, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        raise Problem(error.code, json.loads(error.read() or "{}")) from None


def bark_once(key, attempts=3):
    """Variant A: makes the dog bark once for each key. Repeats the request if it gets no response or may succeed later."""
    for attempt in range(1, attempts + 1):
        try:
            return send("POST", f"{dog}/barks", {"message": "Woof"}, Idempotency_Key=f'"{key}"')[1]
        except (Problem, OSError) as error:
            is_final = isinstance(error, Problem) and error.status not in (409, 429, 500, 503, 504)
            if is_final or attempt == attempts:
                raise
            time.sleep(1)


def bark_asynchronously():
    """Variant A: makes the dog bark asynchronously, and waits until the bark is no longer pending."""
    response, _ = send("POST", f"{dog}/barks", Prefer="respond-async")
    bark = response.headers["Location"]
    status = "pending"
    while status == "pending":
        time.sleep(0.5)
        response, document = send("GET", bark)
        # The response for a complete bark redirects to the dog.
        status = document["status"] if response.url == bark else "complete"
    print(f"A: the asynchronous bark is {status}.")


def change_schedule(frequency):
    """Variant B: makes the dog bark now, and then every `frequency` minutes."""
    response, _ = send("GET", f"{dog}/")
    change = {"barks": {"next": 0, "frequency": frequency}}
    send("PATCH", f"{dog}/", change, If_Unmodified_Since=response.headers["Last-Modified"])
    print(f"B: the dog barked, and barks again every {frequency} minutes.")


def set_schedule(token, frequency):
    """Variant C: does the same as variant B. If the token belongs to another schedule, uses a new token."""
    try:
        send("POST", f"{dog}/bark-schedule", {"token": token, "next": 0, "frequency": frequency})
    except Problem as problem:
        if problem.kind != "schedule-token-reused":
            raise
        print(f"C: token {token} belongs to another schedule. The client uses token {token + 1}.")
        return set_schedule(token + 1, frequency)
    print(f"C: the dog barked, and barks again every {frequency} minutes.")


def access_token():
    """Returns an access token in exchange for the refresh token."""
    grant = {name: access[name] for name in ("client_id", "client_secret", "refresh_token")}
    body = {"grant_type": "refresh_token", **grant}
    return send("POST", f"{access['auth_url']}/oauth2/v4/token", body, authorization=None)[1]["access_token"]


def count_barks(token):
    _, document = send("GET", f"{dog}/", authorization=f"Bearer {token}")
    print(f"The dog has barked {document['barkCount']} times.")


send("PUT", f"{dog}/", {"barkEffects": ["record"]})
try:
    _, bark = send("POST", f"{dog}/barks")
    print(f"A: the dog barked, and the bark is {bark['status']}.")
    key = uuid.uuid4()
    first, repeated = bark_once(key), bark_once(key)
    if first["id"] == repeated["id"]:
        print("A: two requests with the same key made the dog bark once.")
    bark_asynchronously()
    change_schedule(10)
    set_schedule(1, 20)
    set_schedule(1, 30)
    count_barks(access_token())
finally:
    send("DELETE", f"{dog}/")
    print("The client deleted the dog.")
