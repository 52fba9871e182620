import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Addresses } from '../environments.js';
import type { Demo } from './demo.js';

/**
 * Functions for the commands of README.md and docs/tours, for bash, zsh and POSIX shells. They need curl and node only.
 *
 * - `field NAME` reads one member of a JSON answer, such as `id` or `upload.url`.
 * - `wait_until NAME PATTERN COMMAND …` repeats a command until a member of its answer matches, and prints the last answer.
 * - `in_seconds N` prints a time, `sign_in` an access token of the owner.
 * - `as_service PATH …` calls the gateway as the publishing service, for the organization.
 */
const FUNCTIONS = String.raw`
field() {
  node -e 'const text = require("fs").readFileSync(0, "utf8");
    const value = process.argv[1].split(".").reduce((object, name) => object?.[name], JSON.parse(text));
    if (value === undefined) { console.error(text); process.exit(1); } console.log(value);' "$1"
}
wait_until() (
  name=$1 pattern=$2 tries=60
  shift 2
  while :; do
    answer=$("$@")
    printf '%s' "$answer" | field "$name" | grep -Eqx "$pattern" && break
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || break
    sleep 1
  done
  printf '%s\n' "$answer"
)
in_seconds() { node -p 'new Date(Date.now() + 1000 * process.argv[1]).toISOString()' "$1"; }
sign_in() {
  curl -sS "$IDENTITY/api/auth/login" -H 'Content-Type: application/json' \
    -d "{\"email\": \"$EMAIL\", \"password\": \"$PASSWORD\"}" | field accessToken
}
as_service() (
  path=$1
  shift
  application=$(curl -sS "$IDENTITY/api/registrations/social-publishing" \
    -H "X-Service-Token: $(field IDENTITY_SERVICE_TOKEN < "$SECRETS")" | field id)
  curl -sS "$GATEWAY/api/$path" -H "X-Service-Token: $(field GATEWAY_SERVICE_TOKEN < "$SECRETS")" \
    -H "X-Application-Id: $application" -H "X-Organization-Id: $ORGANIZATION_ID" "$@"
)
`;

/** Writes addresses, credentials and functions for the demo organization (`. ./.data/demo.env`), with mode 600. */
export async function writeShellFile(file: string, addresses: Addresses, demo: Demo): Promise<void> {
  const variables = {
    API: addresses.api,
    IDENTITY: addresses.identity,
    GATEWAY: addresses.gateway,
    SANDBOX: addresses.sandbox,
    EMAIL: demo.email,
    PASSWORD: demo.password,
    ORGANIZATION_ID: demo.organizationId,
    BRAND_ID: demo.brandId,
    HANDLE: demo.handle,
    API_KEY: demo.apiKey,
    SERVICE_TOKEN: demo.serviceToken,
    SECRETS: join(dirname(file), 'secrets.json'),
  };
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'`,
  );
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${lines.join('\n')}\n${FUNCTIONS}`);
  } finally {
    await handle.close();
  }
}
