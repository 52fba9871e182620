import { open } from 'node:fs/promises';
import type { Addresses } from '../addresses.js';
import type { Demo } from './demo.js';

/** Reads one member of a JSON answer, such as `id` or `upload.url`, for people without jq. */
const FIELD = [
  'field() {',
  `  node -e 'const text = require("fs").readFileSync(0, "utf8");`,
  `    const value = process.argv[1].split(".").reduce((object, name) => object?.[name], JSON.parse(text));`,
  `    if (value === undefined) { console.error(text); process.exit(1); } console.log(value);' "$1"`,
  '}',
];

/** Addresses and credentials of the demo organization as shell variables (`. ./.data/demo.env`). Mode 600. */
export async function writeShellFile(file: string, addresses: Addresses, demo: Demo): Promise<void> {
  const variables = {
    API: addresses.api,
    IDENTITY: addresses.identity,
    GATEWAY: addresses.gateway,
    SANDBOX: addresses.sandbox,
    EMAIL: demo.email,
    PASSWORD: demo.password,
    BRAND_ID: demo.brandId,
    HANDLE: demo.handle,
    API_KEY: demo.apiKey,
    SERVICE_TOKEN: demo.serviceToken,
  };
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'`,
  );
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${[...lines, ...FIELD].join('\n')}\n`);
  } finally {
    await handle.close();
  }
}
