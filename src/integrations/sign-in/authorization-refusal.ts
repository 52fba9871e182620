export type AuthorizationRefusal =
  | { readonly kind: 'denied' }
  /** The network does not accept the request as this service makes it. `code`: the network's own; null: not readable. */
  | { readonly kind: 'misconfigured'; readonly code: string | null }
  | { readonly kind: 'unavailable' };

/** Members of the redirect (RFC 6749, section 4.1.2.1), and what Facebook sends in their place. */
export interface RefusalParameters {
  readonly error?: string;
  readonly error_code?: string;
  readonly error_reason?: string;
}

/**
 * `access_denied` is the code of RFC 6749; LinkedIn sends `user_cancelled_login` and `user_cancelled_authorize`
 * (learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow), Facebook `error_reason=user_denied`.
 */
const DENIED: ReadonlySet<string> = new Set([
  'access_denied',
  'user_denied',
  'user_cancelled_login',
  'user_cancelled_authorize',
]);
const UNAVAILABLE: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/** null: no refusal. Texts are never read: anyone can make an address. Facebook names invalid scopes by `error_code=100` alone. */
export function refusalIn({
  error,
  error_code,
  error_reason,
}: RefusalParameters): AuthorizationRefusal | null {
  const codes = [error, error_reason, error_code].flatMap((value) =>
    value === undefined ? [] : [codeIn(value)],
  );
  if (codes.length === 0) return null;
  if (codes.some((code) => code !== null && DENIED.has(code))) return { kind: 'denied' };
  if (codes.some((code) => code !== null && UNAVAILABLE.has(code))) return { kind: 'unavailable' };
  return { kind: 'misconfigured', code: codes.find((code) => code !== null) ?? null };
}

const codeIn = (value: string): string | null =>
  /^[a-z0-9_.-]{1,60}$/i.test(value) ? value.toLowerCase() : null;
