import { type OutboundResponse, retryAfterIn } from '#libs/outbound-http';
import type { GatewayResult } from './gateway.types.js';

type Answered = OutboundResponse & { readonly kind: 'answered' };

/** When the gateway does not say how long to wait. */
const RETRY_SECONDS = 60;

/**
 * Codes of a 503 with which the gateway did nothing: its caller could not be authenticated, or the provider could not be reached. A
 * failure of its database proves nothing: the answer to a COMMIT can be lost.
 */
const NOTHING_SENT = new Set(['identity_unavailable', 'service_credential_refused', 'provider_unreachable']);

/** Whether the gateway's response proves that nothing was sent or stored. */
export const isNothingSent = (status: number, code: string | null): boolean =>
  status === 503 && code !== null && NOTHING_SENT.has(code);

/** The outcome of a call by the response of the gateway. @param read throws for a body of another shape */
export function resultOf<T>(response: OutboundResponse, read: (body: unknown) => T): GatewayResult<T> {
  if (response.kind !== 'answered') return response;
  const { status } = response;
  if (status >= 200 && status < 300) return readable(response, read);
  const problem = problemIn(response);
  switch (problem.code) {
    case 'video_provider_refused':
      return refusalIn(problem);
    case 'video_quota_exhausted':
      return { kind: 'exhausted', retryAfterMs: 1000 * (secondsIn(response) ?? RETRY_SECONDS) };
    case 'upload_session_gone':
    case 'upload_not_found':
      return { kind: 'gone' };
    default:
      return withoutKnownCode(status, problem.code);
  }
}

/**
 * A 4xx proves that the provider was not called. With a 503 of the gateway itself, no part of a file was sent: its database is not
 * written after one. At most a session without bytes was begun. Any other 5xx may come from a proxy in front of a gateway that has
 * called the provider.
 */
function withoutKnownCode(status: number, code: string | null): GatewayResult<never> {
  const reason = code ?? String(status);
  if (status === 503 && code !== null) return { kind: 'not-sent', reason };
  if (status === 401 || status === 403 || status === 404) return { kind: 'misconfigured', code: reason };
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'refused', status, reason: code, retryAfterMs: null };
  return { kind: 'no-answer', reason };
}

function readable<T>({ body }: Answered, read: (body: unknown) => T): GatewayResult<T> {
  try {
    return { kind: 'answered', value: read(body) };
  } catch {
    return { kind: 'no-answer', reason: 'unreadable_answer' };
  }
}

interface Problem {
  readonly code: string | null;
  /** For people; '' without one. */
  readonly detail: string;
  readonly providerStatus?: unknown;
  readonly providerReason?: unknown;
  readonly providerRetryAfterSeconds?: unknown;
}

export function problemIn({ headers, body }: Answered): Problem {
  const isProblem = headers['content-type']?.startsWith('application/problem+json') ?? false;
  if (!isProblem || typeof body !== 'object' || body === null) return { code: null, detail: '' };
  const { code, detail } = body as { code?: unknown; detail?: unknown };
  const known = {
    code: typeof code === 'string' ? code : null,
    detail: typeof detail === 'string' ? detail : '',
  };
  return { ...body, ...known };
}

function refusalIn({ providerStatus, providerReason, providerRetryAfterSeconds: wait }: Problem) {
  return {
    kind: 'refused' as const,
    status: typeof providerStatus === 'number' ? providerStatus : 400,
    reason: typeof providerReason === 'string' ? providerReason : null,
    retryAfterMs: typeof wait === 'number' ? wait * 1000 : null,
  };
}

export function secondsIn({ headers }: Answered): number | null {
  const seconds = (retryAfterIn(headers) ?? 0) / 1_000;
  return seconds > 0 ? seconds : null;
}
