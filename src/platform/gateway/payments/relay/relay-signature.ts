import { createHmac } from 'node:crypto';
import { signingKey } from '../../credentials/webhook-secrets.js';

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
