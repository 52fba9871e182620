import type { ErrorKind } from '#libs/errors';

export const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  precondition: 412,
  'too-large': 413,
  unsupported: 415,
  unprocessable: 422,
  timeout: 408,
  'rate-limited': 429,
  'bad-gateway': 502,
  'gateway-timeout': 504,
  unavailable: 503,
};

/** Code, title and default sentence of a status. */
export interface StatusTexts {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

const words = (code: string, title: string, detail: string): StatusTexts => ({ code, title, detail });

const BY_STATUS: Readonly<Record<number, StatusTexts>> = {
  400: words('bad_request', 'Request is not valid', 'The request is not valid.'),
  401: words('unauthenticated', 'Credentials are needed', 'Send valid credentials.'),
  403: words('forbidden', 'Not allowed', 'These credentials do not allow this.'),
  404: words('not_found', 'Not found', 'There is nothing here.'),
  405: words('method_not_allowed', 'Method is not allowed', 'This address does not know the method.'),
  408: words('request_timeout', 'Request took too long', 'The request did not arrive in time.'),
  409: words('conflict', 'Conflict', 'The request conflicts with the current state.'),
  412: words('precondition_failed', 'Precondition failed', 'What was read has changed since.'),
  413: words('too_large', 'Request is too large', 'The request is larger than allowed.'),
  415: words('unsupported_media_type', 'Content type is not supported', 'Send application/json in UTF-8.'),
  417: words(
    'expectation_failed',
    'Expectation is not known',
    'Send no Expect header other than 100-continue.',
  ),
  422: words('unprocessable', 'Request cannot be processed', 'The request cannot be processed.'),
  429: words('rate_limited', 'Too many requests', 'Too many requests. Try again later.'),
  431: words('headers_too_large', 'Headers are too large', 'The headers of the request are too large.'),
  500: words('internal_error', 'Something went wrong here', 'Something went wrong. Quote the request id.'),
  502: words('bad_gateway', 'A service behind this one failed', 'A service behind this one failed.'),
  503: words('unavailable', 'Not available just now', 'Not available just now. Try again in a moment.'),
  504: words(
    'gateway_timeout',
    'A service behind this one was too slow',
    'A service behind this one was too slow.',
  ),
};

/** Texts for any status from 400 to 599. */
export function textsFor(status: number): StatusTexts {
  const fallback = BY_STATUS[status >= 500 ? 500 : 400] as StatusTexts;
  return BY_STATUS[status] ?? { ...fallback, code: `http_${status}` };
}
