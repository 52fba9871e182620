import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { signingKey } from '../../credentials/webhook-secrets.js';
import { PaymentsConfig } from '../payments.config.js';

/**
 * Headers of Standard Webhooks: the receiver verifies HMAC-SHA256 over `id.timestamp.body`; one signature for each secret while one is
 * replaced. @param secrets `whsec_` and base64
 */
export function signedHeaders(
  id: string,
  now: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    return `v1,${createHmac('sha256', signingKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

export interface RelayTarget {
  readonly url: string;
  readonly secrets: readonly string[];
}

/** Where the events of each application go. One without an address or without a secret gets none; its events wait. */
@Injectable()
export class RelayTargets {
  private readonly targets: ReadonlyMap<string, RelayTarget>;

  constructor({ relayUrls, relaySecrets }: PaymentsConfig) {
    const secrets = entriesIn(relaySecrets);
    this.targets = new Map(
      entriesIn(relayUrls).flatMap(([slug, url]) => {
        const own = secrets.filter(([name]) => name === slug).map(([, secret]) => secret);
        return own.length > 0 ? [[slug, { url, secrets: own }] as const] : [];
      }),
    );
  }

  get slugs(): readonly string[] {
    return [...this.targets.keys()];
  }

  of(slug: string): RelayTarget | undefined {
    return this.targets.get(slug);
  }
}

/** The slug ends at the first `=`; an address can have more. */
const entriesIn = (text = ''): [string, string][] =>
  text
    .split(',')
    .filter(Boolean)
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
