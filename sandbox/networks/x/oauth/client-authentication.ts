import type { SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { oauthError } from '../state/problems.js';
import type { AppClient } from '../../kit/oauth/authorization-request.js';
import { isSame } from '../../kit/state/digests.js';

/**
 * Undefined for our client; otherwise X's refusal. A confidential client shows its secret as HTTP Basic, in the body it does
 * not count; a public one has none and names its id in the body.
 */
export function refusedClient(client: AppClient, call: Call): SandboxResponse | undefined {
  const [id, secret] = basicCredentials(call.headers.authorization);
  const named = id ?? call.form.get('client_id');
  if (named !== null && named !== undefined && named !== client.id) {
    return oauthError(401, 'invalid_client', 'Value passed for the client id was invalid.');
  }
  const isOurs =
    client.secret === null
      ? named === client.id && secret === undefined
      : secret !== undefined && isSame(secret, client.secret);
  if (!isOurs) {
    return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  }
  return undefined;
}

/** RFC 6749 section 2.3.1: both halves are form-encoded before they are joined. */
function basicCredentials(header: string | undefined): [id?: string, secret?: string] {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return [];
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return rest.length === 0 ? [] : [formDecoded(id), formDecoded(rest.join(':'))];
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
