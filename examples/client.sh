#!/bin/sh
# Uses the dog service with curl, which reads the credentials from files and from standard input, because other users of the
# computer can see a command's parameters.
set -eu
access_file=${ACCESS_FILE:-.local/access.json}
curl_config=$(dirname "$access_file")/curlrc
work=$(mktemp -d)

# Copies standard input without the control characters that could change the terminal.
printable() {
  LC_ALL=C tr -d '\000-\011\013-\037\177'
}

# Prints a message on standard error, and ends the script.
fail() {
  printf '%s\n' "$1" | printable >&2
  exit 1
}

# Prints a member of the JSON object on standard input, if the member is a string or a number.
member() {
  sed -nE "s/.*\"$1\": *(\"([^\"]*)\"|([0-9]+)).*/\2\3/p" | printable
}

access() {
  member "$1" < "$access_file"
}

base=$(access base_url)
dog=$base/v1/dogs/example-$$-$(date +%s)

# Sends a request with the given curl parameters. Writes the response's body to $work/body and its head to $work/head, and
# prints the status, or 000 if there is no response.
send() {
  curl -sS -o "$work/body" -D "$work/head" -w '%{http_code}' -K "$curl_config" -H 'Accept: application/json' "$@" || true
}

# Sends a request as send does. If the request failed, prints the problem and ends the script.
must() {
  status=$(send "$@")
  case $status in
    2* | 3*) ;;
    *) fail "$status: $(cat "$work/body")" ;;
  esac
}

header() {
  tr -d '\r' < "$work/head" | grep -i "^$1: " | sed 's/^[^ ]* //'
}

# Prints the kind of a problem: the part of its type that never changes.
kind() {
  member type < "$work/body" | sed 's/.*#problem-//'
}

json='Content-Type: application/json'

# Variant A: makes the dog bark once for each key. Repeats the request if it gets no response or may succeed later.
bark_once() {
  for attempt in 1 2 3; do
    status=$(send -X POST "$dog/barks" -H "$json" -H "Idempotency-Key: \"$1\"" -d '{"message":"Woof"}')
    case $status in
      000 | 409 | 429 | 500 | 503 | 504) sleep 1 ;;
      201) member id < "$work/body" && return ;;
      *) break ;;
    esac
  done
  fail "$status after $attempt attempts: $(cat "$work/body")"
}

# Variant A: makes the dog bark asynchronously, and waits until the bark is no longer pending.
bark_asynchronously() {
  must -X POST "$dog/barks" -H 'Prefer: respond-async'
  bark=$(header Location)
  # The script sends its credentials only to the service.
  case $bark in
    "$dog/"*) ;;
    *) fail "The bark is not one of the dog: $bark" ;;
  esac
  bark_status=pending
  while [ "$bark_status" = pending ]; do
    sleep 1
    must "$bark"
    # The response for a complete bark redirects to the dog.
    if [ "$status" = 303 ]; then bark_status=complete; else bark_status=$(member status < "$work/body"); fi
  done
  echo "A: the asynchronous bark is $bark_status."
}

# Variant B: makes the dog bark now, and then every $1 minutes.
change_schedule() {
  must "$dog/"
  must -X PATCH "$dog/" -H "$json" -H "If-Unmodified-Since: $(header Last-Modified)" -d "{\"barks\":{\"next\":0,\"frequency\":$1}}"
  echo "B: the dog barked, and barks again every $1 minutes."
}

# Variant C: makes the dog bark now, and then every $2 minutes, with the token $1. If the token belongs to another schedule,
# uses a new token.
set_schedule() {
  status=$(send -X POST "$dog/bark-schedule" -H "$json" -d "{\"token\":$1,\"next\":0,\"frequency\":$2}")
  if [ "$status" = 422 ] && [ "$(kind)" = schedule-token-reused ]; then
    echo "C: token $1 belongs to another schedule. The client uses token $(($1 + 1))."
    set_schedule $(($1 + 1)) "$2"
  elif [ "$status" = 205 ]; then
    echo "C: the dog barked, and barks again every $2 minutes."
  else
    fail "$status: $(cat "$work/body")"
  fi
}

# Prints an access token in exchange for the refresh token.
access_token() {
  form="grant_type=refresh_token&client_id=$(access client_id)&client_secret=$(access client_secret)"
  printf '%s' "$form&refresh_token=$(access refresh_token)" |
    curl -sS --fail-with-body "$(access auth_url)/oauth2/v4/token" -d @- | member access_token
}

count_barks() {
  printf 'header = "Authorization: Bearer %s"\n' "$1" | curl -sS -K - "$dog/" > "$work/body"
  echo "The dog has barked $(member barkCount < "$work/body") times."
}

# Deletes the dog and the temporary files. The script's exit status stays the same, unless the dog cannot be deleted.
finish() {
  result=$?
  status=$(send -X DELETE "$dog/")
  rm -r "$work"
  [ "$status" = 204 ] || exit 1
  echo 'The client deleted the dog.'
  exit "$result"
}

must -X PUT "$dog/" -H "$json" -d '{"barkEffects":["record"]}'
trap finish EXIT
must -X POST "$dog/barks"
echo "A: the dog barked, and the bark is $(member status < "$work/body")."
key=$(basename "$dog")
if [ "$(bark_once "$key")" = "$(bark_once "$key")" ]; then
  echo 'A: two requests with the same key made the dog bark once.'
fi
bark_asynchronously
change_schedule 10
set_schedule 1 20
set_schedule 1 30
count_barks "$(access_token)"
