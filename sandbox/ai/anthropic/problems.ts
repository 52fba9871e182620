import { type Problem, type ProblemWords, type ProblemWriter, wordsFor } from '../provider/problem.js';

const error = (status: number, type: string, message: string, details?: object) => ({
  status,
  error: { type, message, ...(details && { details }) },
});

/** Errors of the Anthropic API. @see https://platform.claude.com/docs/en/api/errors */
export const anthropicProblem: ProblemWriter = (problem, { requestId }) => {
  const { status, error: said } = wordsFor(WORDS, problem);
  const body = { type: 'error', error: said, request_id: requestId };
  return { status, headers: headersOf(problem), body };
};

function headersOf(problem: Problem): Record<string, string> {
  const isRetried = problem.kind === 'overloaded' || problem.kind === 'server-error';
  if (isRetried) return { 'x-should-retry': 'true' };
  if (problem.kind !== 'rate-limited' || problem.retryAfterSeconds === null) return {};
  return { 'retry-after': String(problem.retryAfterSeconds), 'x-should-retry': 'true' };
}

const REQUEST = 'invalid_request_error';

const WORDS: ProblemWords<ReturnType<typeof error>> = {
  'no-key': () => error(401, 'authentication_error', 'x-api-key header is required'),
  'unknown-key': () => error(401, 'authentication_error', 'invalid x-api-key'),
  'revoked-key': () => error(401, 'authentication_error', 'invalid x-api-key'),
  'forbidden-key': () =>
    error(403, 'permission_error', 'Your API key does not have permission to use the specified resource.'),
  'out-of-money': () =>
    error(402, 'billing_error', 'Your credit balance is too low to access the Anthropic API.'),
  'spend-limit': () =>
    error(
      400,
      REQUEST,
      'You have reached your specified API usage limits. You will regain access on 2027-01-01 at 00:00 UTC.',
    ),
  'quota-exhausted': () =>
    error(429, 'rate_limit_error', 'This organization has reached its spend limit.', {
      error_code: 'enforced_spend_limit_reached',
    }),
  'rate-limited': () =>
    error(
      429,
      'rate_limit_error',
      'This request would exceed your organization’s rate limit of requests per minute.',
    ),
  overloaded: () => error(529, 'overloaded_error', 'Overloaded'),
  'server-error': (problem) =>
    error(problem.status, problem.status === 504 ? 'timeout_error' : 'api_error', 'Internal server error'),
  'no-model': (problem) => error(404, 'not_found_error', `model: ${problem.model}`),
  'too-long': (problem) =>
    error(400, REQUEST, `prompt is too long: ${problem.tokens} tokens > ${problem.limit} maximum`),
  invalid: (problem) =>
    error(
      problem.status ?? 400,
      REQUEST,
      problem.param === null ? problem.message : `${problem.param}: ${problem.message}`,
    ),
  policy: () => error(400, REQUEST, 'Output blocked by content filtering policy'),
  'no-address': () => error(404, 'not_found_error', 'Not found'),
  'too-large': () => error(413, 'request_too_large', 'Request exceeds the maximum size'),
};
