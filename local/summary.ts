import { SERVICES } from '../src/services.js';
import type { Addresses } from './environments.js';
import type { Demo } from './demo/demo.js';
import type { DemoOutcome } from './demo/ensure-demo.js';

export interface Everything extends DemoOutcome {
  readonly addresses: Addresses;
}

/** The text printed when everything runs. */
export function summary({ addresses, demo, withoutDemo = '' }: Everything): string {
  const lines = [
    '',
    'Everything runs. Ctrl-C stops it.',
    '',
    ...table([
      ...SERVICES.filter(({ slug }) => addresses[slug]).map(
        ({ slug, title }) => [title, `${addresses[slug]}/docs`] as const,
      ),
      ['Sandbox', addresses.sandbox],
      ...(addresses.payments ? [['Payment provider', addresses.payments] as const] : []),
      ...(demo ? [['Timeline', `${addresses.sandbox}/x-web/${demo.handle}`] as const] : []),
    ]),
    '',
    ...(demo ? signIn(demo, addresses) : [`No demo organization: ${withoutDemo}.`]),
    '',
  ];
  return lines.join('\n');
}

function signIn(demo: Demo, { api, identity }: Addresses): string[] {
  const ask = `-H 'X-Api-Key: ${demo.apiKey}'`;
  const login = JSON.stringify({ email: demo.email, password: demo.password });
  return [
    ...table([
      ['Sign in', `${demo.email}   ${demo.password}`],
      ['API key', demo.apiKey],
      ['Brand', demo.brandId],
    ]),
    '',
    'Try',
    `  curl -s ${api}/api/content-ops/queue ${ask}`,
    `  curl -s ${api}/api/content-ops/daily ${ask}`,
    `  curl -s ${identity}/api/auth/login -H 'Content-Type: application/json' -d '${login}'`,
    '',
    'The first post in two minutes: README.md',
  ];
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}
