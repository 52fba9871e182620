import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';

/** `{statusCode, name, message}` (resend.com/docs/api-reference/errors). */
export const resendError = (statusCode: number, name: string, message: string): SandboxResponse =>
  json(statusCode, { statusCode, name, message });

/** The refusals of faults in Resend's words. */
export function resendRefusal(refusal: Refusal): SandboxResponse {
  switch (refusal.kind) {
    case 'rate-limited':
      return withHeaders(
        resendError(
          429,
          'rate_limit_exceeded',
          'Too many requests. Please limit the number of requests per second.',
        ),
        { 'retry-after': String(refusal.resetSeconds) },
      );
    case 'usage-capped':
      return resendError(429, 'daily_quota_exceeded', 'You have reached your daily email sending quota.');
    case 'unauthorized':
      return resendError(401, 'missing_api_key', 'Missing API key in the authorization header');
    case 'forbidden':
      return resendError(403, 'validation_error', refusal.reason);
    case 'server-error':
      return resendError(refusal.status, 'application_error', 'An unexpected error occurred.');
  }
}
