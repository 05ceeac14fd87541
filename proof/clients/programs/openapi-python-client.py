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
from client.api.variant_b import patch_dog
from client.api.variant_c import post_bark_schedule
from client.models import (
    Bark,
    BarkRequest,
    BarkScheduleRequest,
    Dog,
    DogRequest,
    DogRequestBarkEffectsItem,
    SchedulePatch,
    SchedulePatchBarksType0,
    SettledBark,
    Token,
    TokenRequest,
)
from client.types import Response

access = json.loads(Path(sys.argv[1]).read_text())
base_url: str = access["base_url"]
prefix: str = access["prefix"]
basic = base64.b64encode(f"{access['username']}:{access['password']}".encode()).decode()
client = AuthenticatedClient(base_url=base_url, token=basic, prefix="Basic", timeout=httpx.Timeout(30))

effect = DogRequestBarkEffectsItem
email = "success@simulator.amazonses.com"
new_dogs = {
    f"{prefix}-mails": DogRequest(email=email, bark_effects=[effect.EMAILDOG]),
    f"{prefix}-records": DogRequest(bark_effects=[effect.RECORD]),
    f"{prefix}-counts": DogRequest(bark_effects=[effect.COUNT]),
}
created = [put_dog.sync_detailed(dog, client=client, body=settings) for dog, settings in new_dogs.items()]

mailed = post_barks.sync_detailed(f"{prefix}-mails", client=client, body=BarkRequest(message="Woof"))
recorded = post_barks.sync_detailed(f"{prefix}-records", client=client)
counted = post_barks.sync_detailed(f"{prefix}-counts", client=client)
accepted = post_barks.sync_detailed(f"{prefix}-records", client=client, prefer="respond-async")
bark_id = accepted.headers["Location"].split("/")[-1]
performed = get_bark.sync_detailed(f"{prefix}-records", bark_id, client=client, prefer="wait=20")
shown = get_dog.sync_detailed(f"{prefix}-records", client=client)
patched = patch_dog.sync_detailed(
    f"{prefix}-records",
    client=client,
    body=SchedulePatch(barks=SchedulePatchBarksType0(next_=access["next"], frequency=10)),
    if_unmodified_since=shown.headers["Last-Modified"],
)
scheduled = [
    post_bark_schedule.sync_detailed(
        f"{prefix}-records", client=client, body=BarkScheduleRequest(token=one, next_=access["next"])
    )
    for one in access["tokens"]
]
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
            "patched": patched.status_code,
            "scheduled": [response.status_code for response in scheduled],
            "token": [token.status_code, token.parsed.token_type if isinstance(token.parsed, Token) else None],
        }
    )
)
