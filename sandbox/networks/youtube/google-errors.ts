import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';

interface ErrorDetails {
  /** Default `youtube.video`. */
  readonly domain?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of Google's APIs (developers.google.com/youtube/v3/docs/errors). */
export function googleError(status: number, reason: string, details: ErrorDetails = {}): SandboxResponse {
  const { domain = 'youtube.video', message = `The request failed: ${reason}.`, headers = {} } = details;
  const error = { code: status, message, errors: [{ domain, reason, message }] };
  return withHeaders(json(status, { error }), headers);
}

export const authError = (): SandboxResponse =>
  googleError(401, 'authError', {
    domain: 'global',
    message: 'Request had invalid authentication credentials.',
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });
