import { type OutboundHeaders, type OutboundResponse, retryAfterIn } from '#libs/outbound-http';

/** What a response of `POST /emails` means. */
export type ResendOutcome =
  | { readonly kind: 'accepted'; readonly id: string }
  /** Nothing was sent; it can be tried again as another call. */
  | {
      readonly kind: 'later';
      readonly code: string | null;
      readonly detail: string;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'credential'; readonly code: string | null }
  | { readonly kind: 'refused'; readonly code: string | null; readonly detail: string }
  /** The effect is in doubt. Safe to repeat with the same key. */
  | { readonly kind: 'repeat'; readonly detail: string; readonly retryAfterMs?: number }
  /** Another body was accepted under this key. */
  | { readonly kind: 'uncertain'; readonly detail: string };

const ID = /^[\w-]{8,100}$/;
const KEY_REFUSED = [
  'missing_api_key',
  'invalid_api_key',
  'restricted_api_key',
  'invalid_access',
  'suspended_account',
];
const LONGEST_WAIT_MS = 86_400_000;

/** Errors are `{statusCode, name, message}` (resend.com/docs/api-reference/errors). */
export function resendOutcome(response: OutboundResponse): ResendOutcome {
  if (response.kind === 'not-sent')
    return { kind: 'later', code: null, detail: `not sent: ${response.reason}` };
  if (response.kind !== 'answered') return { kind: 'repeat', detail: 'no answer' };
  const { status } = response;
  const { id, name, message } = membersOf(response.body);
  if (status >= 200 && status < 300)
    return id !== null && ID.test(id)
      ? { kind: 'accepted', id }
      : { kind: 'repeat', detail: 'the answer has no id' };
  const detail = `${status} ${name ?? ''} ${message ?? ''}`.trim().slice(0, 300);
  const retryAfterMs = waitIn(response.headers);
  if (name === 'concurrent_idempotent_requests') return { kind: 'repeat', detail, retryAfterMs };
  if (name === 'invalid_idempotent_request') return { kind: 'uncertain', detail };
  if (status === 401 || KEY_REFUSED.includes(name ?? '')) return { kind: 'credential', code: name };
  if (status === 429) return { kind: 'later', code: name, detail, retryAfterMs };
  // 409: about the key, also for a reason that is not known. A repetition with the same key tells.
  if (status >= 500 || status === 408 || status === 409) return { kind: 'repeat', detail, retryAfterMs };
  return { kind: 'refused', code: name, detail };
}

function waitIn(headers: OutboundHeaders): number | undefined {
  const wait = retryAfterIn(headers) ?? 0;
  return wait > 0 && wait <= LONGEST_WAIT_MS ? wait : undefined;
}

function membersOf(body: unknown): Record<'id' | 'name' | 'message', string | null> {
  const record = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { id: text(record.id), name: text(record.name), message: text(record.message) };
}
