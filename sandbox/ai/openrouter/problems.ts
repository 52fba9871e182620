import { type ProblemWords, type ProblemWriter, wordsFor } from '../provider/problem.js';

type Words = readonly [status: number, message: string, metadata?: Readonly<Record<string, unknown>>];

/**
 * Errors of OpenRouter. What goes wrong at the provider behind it comes in a response of status 200, because OpenRouter has
 * already begun to answer. @see https://openrouter.ai/docs/api-reference/errors
 */
export const openrouterProblem: ProblemWriter = (problem) => {
  const [code, message, metadata] = wordsFor(WORDS, problem);
  const isUpstream = problem.kind === 'overloaded' || problem.kind === 'server-error';
  const headers: Record<string, string> =
    problem.kind === 'rate-limited' && problem.retryAfterSeconds !== null
      ? { 'retry-after': String(problem.retryAfterSeconds) }
      : {};
  const error = { message, code, ...(metadata && { metadata }) };
  return { status: isUpstream ? 200 : code, headers, body: { error, user_id: 'user_sandbox' } };
};

const upstream = (raw: string): Readonly<Record<string, unknown>> => ({ provider_name: 'Sandbox', raw });

const WORDS: ProblemWords<Words> = {
  'no-key': () => [401, 'No auth credentials found'],
  'unknown-key': () => [401, 'User not found.'],
  'revoked-key': () => [401, 'User not found.'],
  'forbidden-key': () => [403, 'This key may not be used for this operation.'],
  'out-of-money': () => [402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits'],
  'quota-exhausted': () => [
    402,
    'Insufficient credits. Add more using https://openrouter.ai/settings/credits',
  ],
  'spend-limit': () => [
    403,
    'Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys',
  ],
  'rate-limited': () => [429, 'Rate limit exceeded: requests per minute.'],
  overloaded: () => [503, 'Provider returned error', upstream('overloaded')],
  'server-error': (problem) => [problem.status, 'Provider returned error', upstream('internal error')],
  'no-model': (problem) => [400, `${problem.model} is not a valid model ID`],
  'too-long': (problem) => [
    400,
    `This endpoint's maximum context length is ${problem.limit} tokens. However, you requested about ${problem.tokens} tokens.`,
  ],
  invalid: (problem) => [problem.status ?? 400, problem.message],
  policy: () => [
    403,
    'Your input was flagged.',
    { reasons: ['violence'], flagged_input: '…', provider_name: 'Sandbox' },
  ],
  'no-address': () => [404, 'Not Found'],
  'too-large': () => [413, 'Request Entity Too Large'],
};
