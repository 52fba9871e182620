import { randomBytes } from 'node:crypto';
import { json, text } from '../values.js';

/**
 * Gemini 3 refuses a conversation whose tool calls come back without the signature of the thoughts that led to them
 * (ai.google.dev/gemini-api/docs/thought-signatures). The gateway keeps no conversations, so the id of a call carries it.
 */
export interface GoogleCallId {
  /** Google's own id; null: it gave none. */
  readonly native: string | null;
  readonly signature: string | null;
}

const PREFIX = 'gc_';

export function callIdOf({ native, signature }: GoogleCallId): string {
  const nonce = native === null ? randomBytes(8).toString('hex') : '';
  return PREFIX + Buffer.from(JSON.stringify([native, signature, nonce])).toString('base64url');
}

/** null for a call of another provider. */
export function readCallId(id: string): GoogleCallId | null {
  if (!id.startsWith(PREFIX)) return null;
  const parts = json(Buffer.from(id.slice(PREFIX.length), 'base64url').toString('utf8'));
  return Array.isArray(parts) ? { native: text(parts[0]), signature: text(parts[1]) } : null;
}
