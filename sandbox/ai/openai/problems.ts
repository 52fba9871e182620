import {
  type Problem,
  type ProblemWords,
  type ProblemWriter,
  wordsFor,
  type WrittenProblem,
} from '../provider/problem.js';

type Words = readonly [
  status: number,
  type: string,
  code: string | null,
  message: string,
  param?: string | null,
];

const WAIT = 'Please try again later.';
const BILLING = 'For more information, see https://platform.openai.com/docs/guides/error-codes/api-errors.';

/** Errors of the OpenAI API. @see https://platform.openai.com/docs/guides/error-codes */
export const openaiProblem: ProblemWriter = (problem) => {
  const [status, type, code, message, param = null] = wordsFor(WORDS, problem);
  const body = { error: { message, type, param, code } };
  return { status, headers: headersOf(problem), body } satisfies WrittenProblem;
};

function headersOf(problem: Problem): Record<string, string> {
  if (problem.kind !== 'rate-limited' || problem.retryAfterSeconds === null) return {};
  const seconds = problem.retryAfterSeconds;
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
}

const REQUEST = 'invalid_request_error';

const WORDS: ProblemWords<Words> = {
  'no-key': () => [
    401,
    REQUEST,
    null,
    "You didn't provide an API key. Send it in an Authorization header: Bearer KEY.",
  ],
  'unknown-key': (problem) => [
    401,
    REQUEST,
    'invalid_api_key',
    `Incorrect API key provided: ${masked(problem.key)}.`,
  ],
  'revoked-key': () => [401, REQUEST, 'invalid_api_key', 'Incorrect API key provided: the key was revoked.'],
  'forbidden-key': () => [
    403,
    REQUEST,
    'insufficient_permissions',
    'You have insufficient permissions for this operation.',
  ],
  'rate-limited': () => [
    429,
    'requests',
    'rate_limit_exceeded',
    `Rate limit reached for requests per min (RPM). ${WAIT}`,
  ],
  'server-error': (problem) => [
    problem.status,
    'server_error',
    null,
    'The server had an error while processing your request.',
  ],
  overloaded: () => [
    503,
    'server_error',
    'server_is_overloaded',
    `The server is currently overloaded. ${WAIT}`,
  ],
  'no-model': (problem) => [
    404,
    REQUEST,
    'model_not_found',
    `The model \`${problem.model}\` does not exist or you do not have access to it.`,
  ],
  invalid: (problem) => [
    problem.status ?? 400,
    REQUEST,
    problem.code ?? null,
    problem.message,
    problem.param,
  ],
  'no-address': () => [404, REQUEST, 'unknown_url', 'Invalid URL'],
  'too-large': () => [413, REQUEST, null, 'Maximum content size limit (26214400) exceeded.'],
  policy: (problem) =>
    problem.isImage
      ? [
          400,
          'image_generation_user_error',
          'moderation_blocked',
          'Your request was rejected by the safety system.',
        ]
      : [400, REQUEST, 'content_policy_violation', 'Your request was rejected by the safety system.'],
  'out-of-money': () => [
    429,
    'insufficient_quota',
    'credit_balance_exhausted',
    `Your credit balance is exhausted. ${BILLING}`,
  ],
  'spend-limit': () => [
    429,
    'insufficient_quota',
    'project_spend_limit_exceeded',
    `Your project reached its spend limit. ${BILLING}`,
  ],
  'quota-exhausted': () => [
    429,
    'insufficient_quota',
    'insufficient_quota',
    `You exceeded your current quota, please check your plan and billing details. ${BILLING}`,
  ],
  'too-long': (problem) => [400, REQUEST, 'context_length_exceeded', tooLong(problem), 'messages'],
};

const masked = (key: string): string =>
  key.length < 12 ? '****' : `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;

const tooLong = ({ tokens, limit }: { readonly tokens: number; readonly limit: number }): string =>
  `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
