import { randomBytes } from 'node:crypto';
import { json, type SandboxResponse } from '../../wire/response.js';

/** Status and message of each `error.code`: tiktok-api-v2-error-handling and the reference pages of the content posting API. */
const ERRORS = {
  access_token_invalid: [401, 'The access token is invalid or not found in the request.'],
  scope_not_authorized: [401, 'The user did not authorize the scope required for completing this request.'],
  rate_limit_exceeded: [429, 'The API rate limit was exceeded. Please try again later.'],
  invalid_params: [400, 'One or more fields in request is invalid.'],
  invalid_publish_id: [400, 'The publish_id does not exist.'],
  token_not_authorized_for_specified_publish_id: [400, 'The access_token does not have authorization.'],
  spam_risk_too_many_posts: [403, 'The daily post cap from the API is reached for the current user.'],
  spam_risk_user_banned_from_posting: [403, 'The user is banned from making new posts.'],
  spam_risk_text: [403, 'The text is flagged as spam.'],
  reached_active_user_cap: [403, 'The daily quota for active publishing users is reached.'],
  unaudited_client_can_only_post_to_private_accounts: [
    403,
    'Unaudited clients can only post to a private account.',
  ],
  privacy_level_option_mismatch: [403, 'The privacy_level is not among the privacy_level_options.'],
  url_ownership_unverified: [403, 'Please verify ownership of the URL prefix.'],
  internal_error: [500, 'Something went wrong. Please try again later.'],
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Request ids of TikTok have 34 digits and letters. */
const logId = (): string => randomBytes(17).toString('hex').toUpperCase();

const ok = () => ({ code: 'ok', message: '', log_id: logId() });

export const data = (value: Readonly<Record<string, unknown>>): SandboxResponse =>
  json(200, { data: value, error: ok() });

/** @param status instead of the documented one */
export function errorOf(code: ErrorCode, status?: number, detail = ''): SandboxResponse {
  const [documented, message] = ERRORS[code];
  const error = { code, message: detail === '' ? message : `${message} ${detail}`, log_id: logId() };
  return json(status ?? documented, { data: {}, error });
}

/** Errors of the token routes are OAuth's. */
export const oauthError = (status: number, error: string, description: string): SandboxResponse =>
  json(status, { error, error_description: description, log_id: logId() });
