import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';

const TYPES = 'https://api.twitter.com/2/problems';
const PROBLEM = 'application/problem+json';

/** The reasons for a 403 on creating a post, in X's words as clients have recorded them. */
const FORBIDDEN = {
  duplicate: 'You are not allowed to create a Tweet with duplicate content.',
  'reply-not-visible': 'You attempted to reply to a Tweet that is deleted or not visible to you.',
  'reply-restricted':
    'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
  suspended: 'Your account is suspended and is not permitted to access this feature.',
  'not-permitted': 'You are not permitted to perform this action.',
  'not-yours': 'You are not authorized to delete this Tweet.',
  'not-your-media': 'You are not authorized to use this media.',
  'video-too-long': 'This user is not allowed to post a video longer than {} minutes',
  'missing-scope': 'Forbidden',
} as const;

/** The short form: no more than what happened. */
function plain(status: number, title: string, detail: string): SandboxResponse {
  return json(status, { title, detail, type: 'about:blank', status }, PROBLEM);
}

export const unauthorized = (): SandboxResponse => plain(401, 'Unauthorized', 'Unauthorized');

export const serverError = (status: number): SandboxResponse =>
  status === 503
    ? plain(503, 'Service Unavailable', 'Service Unavailable')
    : plain(status, 'Internal Server Error', 'Something is broken. This is usually a temporary error.');

/** @param value of the reason that has one */
export function forbidden(reason: string, value = ''): SandboxResponse {
  if (reason === 'client-forbidden') return clientForbidden();
  const detail = FORBIDDEN[reason as keyof typeof FORBIDDEN] ?? FORBIDDEN['not-permitted'];
  return plain(403, 'Forbidden', detail.replace('{}', value));
}

/** The app, not the account, lacks access: an operator must act. */
function clientForbidden(): SandboxResponse {
  return json(
    403,
    {
      client_id: '10000001',
      detail:
        'When authenticating requests to the Twitter API v2 endpoints, you must use keys and tokens from a Twitter developer App that is attached to a Project. You can create a project via the developer portal.',
      registration_url: 'https://developer.twitter.com/en/docs/projects/overview',
      title: 'Client Forbidden',
      required_enrollment: 'Appropriate Level of API Access',
      reason: 'client-not-enrolled',
      type: `${TYPES}/client-forbidden`,
    },
    PROBLEM,
  );
}

export const tooManyRequests = (headers: Readonly<Record<string, string>>): SandboxResponse =>
  withHeaders(plain(429, 'Too Many Requests', 'Too Many Requests'), headers);

/** The paid amount of the month is used up; waiting for the window does not help. */
export const usageCapped = (): SandboxResponse =>
  json(
    429,
    {
      account_id: 1,
      product_name: 'standard-basic',
      title: 'UsageCapExceeded',
      period: 'Monthly',
      scope: 'Product',
      detail: 'Usage cap exceeded: Monthly product cap',
      type: `${TYPES}/usage-capped`,
    },
    PROBLEM,
  );

export function invalidRequest(
  message: string,
  parameters: Readonly<Record<string, unknown>> = {},
): SandboxResponse {
  return json(
    400,
    {
      errors: [{ parameters, message }],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: `${TYPES}/invalid-request`,
    },
    PROBLEM,
  );
}

/** What does not exist is answered 200 with the reason among `errors`. */
export function couldNotFind(resource: 'tweet' | 'user', id: string): SandboxResponse {
  return json(200, {
    errors: [
      {
        value: id,
        detail: `Could not find ${resource} with id: [${id}].`,
        title: 'Not Found Error',
        resource_type: resource,
        parameter: 'id',
        resource_id: id,
        type: `${TYPES}/resource-not-found`,
      },
    ],
  });
}

export const noSuchMedia = (id: string): SandboxResponse =>
  plain(404, 'Not Found', `Could not find media with id: [${id}].`);

export const noSuchAddress = (): SandboxResponse => plain(404, 'Not Found', 'Not Found');

export const tooLarge = (): SandboxResponse =>
  plain(413, 'Request Entity Too Large', 'Request Entity Too Large');
