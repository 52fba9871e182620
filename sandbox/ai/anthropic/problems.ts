import { type Problem, type ProblemWords, type ProblemWriter, wordsFor } from '../provider/problem.js';

type Words = readonly [
  status: number,
  type: string,
  message: string,
  details?: Readonly<Record<string, unknown>>,
];

/** Errors of the Anthropic API. @see https://platform.claude.com/docs/en/api/errors */
export const anthropicProblem: ProblemWriter = (problem, { requestId }) => {
  const [status, type, message, details] = wordsFor(WORDS, problem);
  const error = { type, message, ...(details && { details }) };
  return { status, headers: headersOf(problem), body: { type: 'error', error, request_id: requestId } };
};

function headersOf(problem: Problem): Record<string, string> {
  const isRetried = problem.kind === 'overloaded' || problem.kind === 'server-error';
  if (isRetried) return { 'x-should-retry': 'true' };
  if (problem.kind !== 'rate-limited' || problem.retryAfterSeconds === null) return {};
  return { 'retry-after': String(problem.retryAfterSeconds), 'x-should-retry': 'true' };
}

const REQUEST = 'invalid_request_error';

const WORDS: ProblemWords<Words> = {
  'no-key': () => [401, 'authentication_error', 'x-api-key header is required'],
  'unknown-key': () => [401, 'authentication_error', 'invalid x-api-key'],
  'revoked-key': () => [401, 'authentication_error', 'invalid x-api-key'],
  'forbidden-key': () => [
    403,
    'permission_error',
    'Your API key does not have permission to use the specified resource.',
  ],
  'out-of-money': () => [402, 'billing_error', 'Your credit balance is too low to access the Anthropic API.'],
  'spend-limit': () => [
    400,
    REQUEST,
    'You have reached your specified API usage limits. You will regain access on 2027-01-01 at 00:00 UTC.',
  ],
  'quota-exhausted': () => [
    429,
    'rate_limit_error',
    'This organization has reached its spend limit.',
    { error_code: 'enforced_spend_limit_reached' },
  ],
  'rate-limited': () => [
    429,
    'rate_limit_error',
    'This request would exceed your organization’s rate limit of requests per minute.',
  ],
  overloaded: () => [529, 'overloaded_error', 'Overloaded'],
  'server-error': (problem) => [
    problem.status,
    problem.status === 504 ? 'timeout_error' : 'api_error',
    'Internal server error',
  ],
  'no-model': (problem) => [404, 'not_found_error', `model: ${problem.model}`],
  'too-long': (problem) => [
    400,
    REQUEST,
    `prompt is too long: ${problem.tokens} tokens > ${problem.limit} maximum`,
  ],
  invalid: (problem) => [
    problem.status ?? 400,
    REQUEST,
    problem.param === null ? problem.message : `${problem.param}: ${problem.message}`,
  ],
  policy: () => [400, REQUEST, 'Output blocked by content filtering policy'],
  'no-address': () => [404, 'not_found_error', 'Not found'],
  'too-large': () => [413, 'request_too_large', 'Request exceeds the maximum size'],
};
