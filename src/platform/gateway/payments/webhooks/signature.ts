import { createHmac, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_SECRETS } from '../../credentials/webhook-secrets.js';

/** The provider's own client checks the past only; a signature of the future would stay valid for as long. */
export const TOLERANCE_SECONDS = 300;

export interface SignatureHeader {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly signatures: readonly Buffer[];
}

/** `t=<seconds>,v1=<hex>[,v1=…]`; other schemes are ignored. null for anything else. */
export function parseSignature(header: string | undefined): SignatureHeader | null {
  if (header === undefined || header.length > 2_000) return null;
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string | undefined]);
  const timestamps = parts.flatMap(([name, value = '']) => (name.trim() === 't' ? [value] : []));
  const signatures = parts.flatMap(([name, value = '']) => (name.trim() === 'v1' ? [value] : []));
  const [timestamp = '', ...more] = timestamps;
  if (more.length > 0 || !/^\d{1,12}$/.test(timestamp)) return null;
  const hex = signatures.filter((value) => /^[0-9a-f]{64}$/.test(value));
  if (hex.length === 0) return null;
  return { timestamp: Number(timestamp), signatures: hex.map((value) => Buffer.from(value, 'hex')) };
}

/** Whether it was signed now, with `TOLERANCE_SECONDS` in both directions. */
export const isCurrent = ({ timestamp }: SignatureHeader, now: Date): boolean =>
  Math.abs(Math.floor(now.getTime() / 1000) - timestamp) <= TOLERANCE_SECONDS;

/** Compares all, in constant time, over the bytes as they were received. A stored secret of another form signs nothing. */
export function isSignedBy(
  { timestamp, signatures }: SignatureHeader,
  body: Buffer,
  secrets: readonly string[],
): boolean {
  return secrets
    .filter((secret) => WEBHOOK_SECRETS.stripe.form.test(secret))
    .map((secret) => createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest())
    .some((expected) => signatures.filter((given) => timingSafeEqual(given, expected)).length > 0);
}
