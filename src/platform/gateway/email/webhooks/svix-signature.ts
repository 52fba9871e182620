import { createHmac, timingSafeEqual } from 'node:crypto';
import { MIN_KEY_BYTES, signingKey } from '../../credentials/webhook-secrets.js';

export interface SignedHeaders {
  readonly id: string | undefined;
  /** Seconds. */
  readonly timestamp: string | undefined;
  /** `v1,<base64>`, several separated by spaces while a secret is rotated. */
  readonly signatures: string | undefined;
}

/** 5 minutes, both ways (docs.svix.com/receiving/verifying-payloads/how-manual). */
const TOLERANCE_SECONDS = 300;
const MAX_ID = 256;
const MAX_SIGNATURES = 10;

/**
 * Whether one of the signatures is that of one of the secrets over `id.timestamp.body`, and the time is near.
 * @param secrets `whsec_` and base64; one with a short key signs nothing. @param body exactly as it came
 */
export function isSigned(
  headers: SignedHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): boolean {
  const { id, timestamp, signatures } = headers;
  if (!id || id.length > MAX_ID || !timestamp || !/^\d{1,12}$/.test(timestamp) || !signatures) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const given = signatures.split(' ', MAX_SIGNATURES).flatMap(digestIn);
  const keys = secrets.map(signingKey).filter((key) => key.length >= MIN_KEY_BYTES);
  const expected = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  return expected.some((digest) =>
    given.some((one) => one.length === digest.length && timingSafeEqual(one, digest)),
  );
}

function digestIn(signature: string): Buffer[] {
  const [version, text = ''] = signature.split(',', 2);
  return version === 'v1' ? [Buffer.from(text, 'base64')] : [];
}
