"""Makes dogs bark with the client that openapi-python-client generates, and prints what it returned."""

import base64
import json
import sys
from pathlib import Path
from typing import Any

import httpx
from client import AuthenticatedClient, Client
from client.api.dogs import get_dog, put_dog
from client.api.tokens import issue_token
from client.api.variant_a import get_bark, post_barks
from client.models import Bark, Dog, BarkRequest, DogRequest, DogRequestBarkEffectsItem, SettledBark, Token, TokenRequest
from client.types import Response

access = json.loads(Path(sys.argv[1]).read_text())
base_url: str = access["base_url"]
basic = base64.b64encode(f"{access['username']}:{access['password']}".encode()).decode()
client = AuthenticatedClient(base_url=base_url, token=basic, prefix="Basic", timeout=httpx.Timeout(30))

effect = DogRequestBarkEffectsItem
email = "success@simulator.amazonses.com"
new_dogs = {
    "python-mails": DogRequest(email=email, bark_effects=[effect.EMAILDOG]),
    "python-records": DogRequest(bark_effects=[effect.RECORD]),
    "python-counts": DogRequest(bark_effects=[effect.COUNT]),
}
created = [put_dog.sync_detailed(dog, client=client, body=settings) for dog, settings in new_dogs.items()]

mailed = post_barks.sync_detailed("python-mails", client=client, body=BarkRequest(message="Woof"))
recorded = post_barks.sync_detailed("python-records", client=client)
counted = post_barks.sync_detailed("python-counts", client=client)
accepted = post_barks.sync_detailed("python-records", client=client, prefer="respond-async")
bark_id = accepted.headers["Location"].split("/")[-1]
performed = get_bark.sync_detailed("python-records", bark_id, client=client, prefer="wait=20")
shown = get_dog.sync_detailed("python-records", client=client)
token_request = TokenRequest(
    grant_type="refresh_token",
    client_id=access["client_id"],
    client_secret=access["client_secret"],
    refresh_token=access["refresh_token"],
)
token = issue_token.sync_detailed(client=Client(base_url=base_url), body=token_request)


def observed(response: Response[Any]) -> tuple[int, Any]:
    parsed = response.parsed
    return response.status_code, parsed.to_dict() if isinstance(parsed, (Bark, SettledBark)) else parsed


print(
    json.dumps(
        {
            "created": [response.status_code for response in created],
            "mailed": observed(mailed),
            "recorded": observed(recorded),
            "counted": observed(counted),
            "accepted": observed(accepted),
            "performed": observed(performed),
            "dog": [shown.status_code, shown.parsed.bark_count if isinstance(shown.parsed, Dog) else None],
            "token": [token.status_code, token.parsed.token_type if isinstance(token.parsed, Token) else None],
        }
    )
)
