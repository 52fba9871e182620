import type { OutboundResponse } from '#libs/outbound-http';
import type {
  AiClientCall,
  AiResult,
  CompletionRequest,
  CompletionResult,
  ImageRequest,
  ImagesResult,
  Recording,
  TranscriptResult,
} from './ai.types.js';
import { problemIn, secondsIn } from './gateway-results.js';

type Answered = OutboundResponse & { readonly kind: 'answered' };

/** Of the gateway: what it is set up with, not what was asked for. */
const OF_THE_SET_UP = new Set(['provider_credential', 'no_credential', 'no_model_configured']);

/** Of the gateway's idempotency keys: it says nothing about the work, and ends by itself. */
const RUNNING = 'idempotent_request_running';

/** An earlier call with the same Idempotency-Key still runs at the gateway. Repeat it to get its result. */
export const isStillRunning = (result: AiResult<unknown>): boolean =>
  result.kind === 'limited' && result.code === RUNNING;

/** The outcome of a call by the response of the gateway. @param read throws for a body of another shape */
export function aiResultOf<T>(response: OutboundResponse, read: (body: unknown) => T): AiResult<T> {
  if (response.kind === 'withheld') return { kind: 'not-sent', reason: 'withheld' };
  if (response.kind !== 'answered') return response;
  if (response.status >= 200 && response.status < 300) return readable(response, read);
  return failureIn(response);
}

function readable<T>({ body }: Answered, read: (body: unknown) => T): AiResult<T> {
  try {
    return { kind: 'answered', value: read(body) };
  } catch {
    return { kind: 'no-answer', reason: 'unreadable_answer' };
  }
}

/** Without a code, a proxy in front of the gateway may have written the response: a 5xx is in doubt then. */
function failureIn(response: Answered): AiResult<never> {
  const { status } = response;
  const { code, detail } = problemIn(response);
  const reason = code ?? String(status);
  const billed = isFree(response) ? {} : { isBilled: true };
  if (code === null && status >= 500) return { kind: 'no-answer', reason };
  if (status === 429 || code === RUNNING) {
    const seconds = secondsIn(response);
    const retryAfterMs = seconds === null ? null : seconds * 1000;
    return { kind: 'limited', code: reason, detail, retryAfterMs, ...billed };
  }
  if (OF_THE_SET_UP.has(reason) || status === 401 || status === 404 || isRefusedService(status, reason))
    return { kind: 'misconfigured', code: reason, ...billed };
  if (status === 503 && isFree(response)) return { kind: 'not-sent', reason };
  if (status >= 500 || status === 408) return { kind: 'no-answer', reason };
  return { kind: 'refused', code: reason, detail, ...billed };
}

/**
 * Whether no attempt of the problem is billed: the last one may be refused after one whose cost is not known. A problem without
 * attempts is one before the first.
 */
function isFree({ body }: Answered): boolean {
  const { attempts } = (body ?? {}) as { attempts?: unknown };
  const isFreeAttempt = ({ cost }: { cost?: unknown }) => typeof cost === 'string' && Number(cost) === 0;
  return !Array.isArray(attempts) || attempts.every(isFreeAttempt);
}

/** A model that is not allowed is the only refusal of that status that another request avoids. */
const isRefusedService = (status: number, code: string): boolean =>
  status === 403 && code !== 'model_not_allowed' && code !== 'model_override_not_permitted';

/** Calls to AI providers through the gateway, which chooses the model and the fallbacks. No method throws. */
export abstract class AiClient {
  /** Whether this service is configured to call the gateway. */
  abstract readonly isConfigured: boolean;

  abstract complete(call: AiClientCall, request: CompletionRequest): Promise<AiResult<CompletionResult>>;

  abstract drawImages(call: AiClientCall, request: ImageRequest): Promise<AiResult<ImagesResult>>;

  abstract transcribe(call: AiClientCall, recording: Recording): Promise<AiResult<TranscriptResult>>;
}
