import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { problemResponse, problemResponses } from '#libs/http';

const ATTEMPTS_HEADER = {
  'X-Attempts': {
    description:
      'The attempts in order, such as `openai/gpt-5 rate, anthropic/claude answered`. Of a stream that has begun the last one is `begun`; missing when it has no content after 15 seconds. A replay has those of the first response.',
    schema: { type: 'string' as const },
  },
};

/** A provider that is out of money or gave no Retry-After: waiting a known time does not help. */
const LIMITED = {
  ...problemResponse(429),
  description:
    'A limit: `provider_rate_limited` with the least Retry-After of the providers or none, `provider_out_of_money`, `spend_limit_reached`, `too_many_streams`, `too_many_calls`, `too_many_bytes`.',
  headers: {
    'Retry-After': {
      description: 'Seconds to wait; missing where waiting does not help or no provider says how long.',
      schema: { type: 'integer' as const, minimum: 1 },
    },
    ...ATTEMPTS_HEADER,
  },
};

const withAttempts = (status: number, description: string) => {
  const { headers, ...response } = problemResponse(status);
  return ApiResponse({ status, ...response, description, headers: { ...headers, ...ATTEMPTS_HEADER } });
};

/** The header of a success. */
export const attemptsHeader = ATTEMPTS_HEADER;

/** The errors of every AI route. */
export const AiResponses = () =>
  applyDecorators(
    problemResponses(413),
    withAttempts(
      422,
      'Another model or request is needed: `model_not_found`, `model_retired`, `no_model_configured`, `no_credential`, `model_unpriced`, `spend_estimate_too_large`, `context_too_long`, `content_policy`, `provider_refused_request`.',
    ),
    ApiResponse({ status: 429, ...LIMITED }),
    withAttempts(502, 'The provider: `provider_credential`, `provider_response_unreadable`.'),
    withAttempts(
      503,
      `${problemResponse(503).description} Of providers: \`provider_overloaded\`, \`provider_unreachable\`.`,
    ),
    withAttempts(504, 'The provider did not answer in time: `provider_no_answer`.'),
  );
