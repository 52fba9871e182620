import { type ProblemWords, type ProblemWriter, wordsFor } from '../provider/problem.js';

const error = (code: number, status: string, message: string, details?: readonly unknown[]) => ({
  error: { code, message, status, ...(details && { details }) },
});

/** Errors of the Gemini API. @see https://ai.google.dev/gemini-api/docs/troubleshooting */
export const googleProblem: ProblemWriter = (problem) => {
  const body = wordsFor(WORDS, problem);
  return { status: body.error.code, headers: {}, body };
};

const TYPES = 'type.googleapis.com/google.rpc';

const errorInfo = (reason: string): unknown => ({
  '@type': `${TYPES}.ErrorInfo`,
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
});

const quotaFailure = (limit: string): unknown => ({
  '@type': `${TYPES}.QuotaFailure`,
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_requests', quotaId: limit }],
});

const retryInfo = (seconds: number): unknown => ({
  '@type': `${TYPES}.RetryInfo`,
  retryDelay: `${seconds}s`,
});

const EXCEEDED = 'You exceeded your current quota, please check your plan and billing details.';

const WORDS: ProblemWords<ReturnType<typeof error>> = {
  'no-key': () =>
    error(
      403,
      'PERMISSION_DENIED',
      "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity to call this API.",
    ),
  'unknown-key': () =>
    error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      errorInfo('API_KEY_INVALID'),
    ]),
  'revoked-key': () =>
    error(400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.', [
      errorInfo('API_KEY_INVALID'),
    ]),
  'forbidden-key': () =>
    error(403, 'PERMISSION_DENIED', 'Permission denied: Consumer has been suspended.', [
      errorInfo('CONSUMER_SUSPENDED'),
    ]),
  'out-of-money': () =>
    error(402, 'RESOURCE_EXHAUSTED', 'Your prepaid credit is used up. Add credit in your billing account.'),
  'spend-limit': () =>
    error(429, 'RESOURCE_EXHAUSTED', 'Your project has exceeded its monthly spending cap.', [
      quotaFailure('SpendingCap'),
    ]),
  'quota-exhausted': () =>
    error(429, 'RESOURCE_EXHAUSTED', `${EXCEEDED} Quota exceeded for metric: generate_requests, limit: 0`, [
      quotaFailure('GenerateRequestsPerDay'),
      retryInfo(36_000),
    ]),
  overloaded: () => error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  'server-error': (problem) =>
    error(problem.status, STATUSES[problem.status] ?? 'INTERNAL', 'An internal error has occurred.'),
  'no-model': (problem) =>
    error(
      404,
      'NOT_FOUND',
      `models/${problem.model} is not found for API version v1beta, or is not supported for generateContent.`,
    ),
  'too-long': (problem) =>
    error(
      400,
      'INVALID_ARGUMENT',
      `The input token count (${problem.tokens}) exceeds the maximum number of tokens allowed (${problem.limit}).`,
    ),
  invalid: (problem) => error(problem.status ?? 400, 'INVALID_ARGUMENT', problem.message),
  policy: () => error(400, 'INVALID_ARGUMENT', 'The request was blocked by the safety settings.'),
  'no-address': () => error(404, 'NOT_FOUND', 'Requested entity was not found.'),
  'too-large': () =>
    error(413, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'),
  'rate-limited': ({ retryAfterSeconds: seconds }) =>
    error(429, 'RESOURCE_EXHAUSTED', EXCEEDED, [
      quotaFailure('GenerateRequestsPerMinute'),
      ...(seconds === null ? [] : [retryInfo(seconds)]),
    ]),
};

const STATUSES: Readonly<Record<number, string>> = {
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
