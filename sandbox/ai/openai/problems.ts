import { type Problem, type ProblemWords, type ProblemWriter, wordsFor } from '../provider/problem.js';

const error = (
  status: number,
  type: string,
  code: string | null,
  message: string,
  param: string | null = null,
) => ({ status, error: { message, type, param, code } });

const WAIT = 'Please try again later.';
const BILLING = 'For more information, see https://platform.openai.com/docs/guides/error-codes/api-errors.';

/** Errors of the OpenAI API. @see https://platform.openai.com/docs/guides/error-codes */
export const openaiProblem: ProblemWriter = (problem) => {
  const { status, ...body } = wordsFor(WORDS, problem);
  return { status, headers: headersOf(problem), body };
};

function headersOf(problem: Problem): Record<string, string> {
  if (problem.kind !== 'rate-limited' || problem.retryAfterSeconds === null) return {};
  const seconds = problem.retryAfterSeconds;
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
}

const REQUEST = 'invalid_request_error';

const WORDS: ProblemWords<ReturnType<typeof error>> = {
  'no-key': () =>
    error(
      401,
      REQUEST,
      null,
      "You didn't provide an API key. Send it in an Authorization header: Bearer KEY.",
    ),
  'unknown-key': (problem) =>
    error(401, REQUEST, 'invalid_api_key', `Incorrect API key provided: ${masked(problem.key)}.`),
  'revoked-key': () =>
    error(401, REQUEST, 'invalid_api_key', 'Incorrect API key provided: the key was revoked.'),
  'forbidden-key': () =>
    error(403, REQUEST, 'insufficient_permissions', 'You have insufficient permissions for this operation.'),
  'rate-limited': () =>
    error(429, 'requests', 'rate_limit_exceeded', `Rate limit reached for requests per min (RPM). ${WAIT}`),
  'server-error': (problem) =>
    error(problem.status, 'server_error', null, 'The server had an error while processing your request.'),
  overloaded: () =>
    error(503, 'server_error', 'server_is_overloaded', `The server is currently overloaded. ${WAIT}`),
  'no-model': (problem) =>
    error(
      404,
      REQUEST,
      'model_not_found',
      `The model \`${problem.model}\` does not exist or you do not have access to it.`,
    ),
  invalid: (problem) =>
    error(problem.status ?? 400, REQUEST, problem.code ?? null, problem.message, problem.param),
  'no-address': () => error(404, REQUEST, 'unknown_url', 'Invalid URL'),
  'too-large': () => error(413, REQUEST, null, 'Maximum content size limit (26214400) exceeded.'),
  policy: (problem) =>
    problem.isImage
      ? error(
          400,
          'image_generation_user_error',
          'moderation_blocked',
          'Your request was rejected by the safety system.',
        )
      : error(400, REQUEST, 'content_policy_violation', 'Your request was rejected by the safety system.'),
  'out-of-money': () =>
    error(
      429,
      'insufficient_quota',
      'credit_balance_exhausted',
      `Your credit balance is exhausted. ${BILLING}`,
    ),
  'spend-limit': () =>
    error(
      429,
      'insufficient_quota',
      'project_spend_limit_exceeded',
      `Your project reached its spend limit. ${BILLING}`,
    ),
  'quota-exhausted': () =>
    error(
      429,
      'insufficient_quota',
      'insufficient_quota',
      `You exceeded your current quota, please check your plan and billing details. ${BILLING}`,
    ),
  'too-long': (problem) => error(400, REQUEST, 'context_length_exceeded', tooLong(problem), 'messages'),
};

const masked = (key: string): string =>
  key.length < 12 ? '****' : `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;

const tooLong = ({ tokens, limit }: { readonly tokens: number; readonly limit: number }): string =>
  `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
