import type { OutboundRequest, OutboundResponse } from '#libs/outbound-http';
import {
  AuthorizationFailed,
  CLIENT_REFUSED,
  NetworkIsUnavailable,
  ServiceIsRefused,
} from '../domain/integration.errors.js';
import type { Grant, RenewalResult } from '../domain/provider-grants.js';
import { expiryIn, memberOf, wordsIn } from './values.js';

export type Answered = OutboundResponse & { readonly kind: 'answered' };

/** A form without a token, such as an exchange of a code. */
export function formPost(url: string, fields: Readonly<Record<string, string>>): OutboundRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', url, headers, body: new URLSearchParams(fields).toString() };
}

export interface ScopeFormat {
  readonly separator: string | RegExp;
  /** UTF-16 units of all scopes. */
  readonly max: number;
}

/** The tokens in the response of a token endpoint (RFC 6749, section 5.1); null: it has none. */
export function grantIn(
  response: OutboundResponse,
  now: Date,
  { separator, max }: ScopeFormat,
): Grant | null {
  if (response.kind !== 'answered' || response.status !== 200) return null;
  const { body } = response;
  const accessToken = tokenIn(body, 'access_token');
  if (accessToken === null) return null;
  return {
    accessToken,
    refreshToken: tokenIn(body, 'refresh_token'),
    expiresAt: expiryIn(memberOf(body, 'expires_in'), now),
    scopes: (wordsIn(memberOf(body, 'scope'), max) ?? '').split(separator).filter(Boolean),
  };
}

/**
 * People can deselect single permissions on the page of a network. A response without scopes grants what was asked for (RFC 6749, section
 * 5.1).
 * @returns the grant @throws AuthorizationFailed when the network names its permissions and one is missing
 */
export function mayPublish(displayName: string, required: readonly string[], grant: Grant): Grant {
  const missing = required.filter((scope) => !grant.scopes.includes(scope));
  if (grant.scopes.length === 0 || missing.length === 0) return grant;
  throw publishingIsNotAllowed(displayName, missing);
}

/** @param missing scopes, all or some of which the person did not allow */
export const publishingIsNotAllowed = (
  displayName: string,
  missing: readonly string[],
): AuthorizationFailed =>
  new AuthorizationFailed(
    `This service did not get the permission to publish on ${displayName} (${missing.join(', ')}). Start again and allow everything that is asked.`,
  );

/** As all errors of OAuth and its extensions are written. Gateways write phrases, such as `Forbidden`. */
const OAUTH_ERROR = /^[a-z]+(_[a-z]+)+$/;
/** UTF-16 units of an error that is shown. */
const MAX_ERROR = 100;
/** RFC 6749, sections 4.1.2.1 and 5.2: the server could not decide. */
const UNDECIDED: readonly unknown[] = ['temporarily_unavailable', 'server_error'];

/**
 * The token endpoint has decided; a repeat of the same call gets the same response. A page of a firewall and every other response
 * without an error of OAuth decides nothing.
 */
export const isFinal = (response: OutboundResponse): response is Answered => {
  if (response.kind !== 'answered' || response.status >= 500 || response.status === 429) return false;
  const error = memberOf(response.body, 'error');
  return typeof error === 'string' && OAUTH_ERROR.test(error) && !UNDECIDED.includes(error);
};

/** RFC 6749, section 5.2: these errors concern the client, not the grant. */
export const namesClient = (error: unknown): boolean =>
  error === 'invalid_client' || error === 'unauthorized_client';

/** Why a code was not exchanged. `issuer`: whose page the person signed in on. */
export function signInRefusal(
  { displayName, issuer = displayName }: { readonly displayName: string; readonly issuer?: string },
  { ofClient, isRefused }: { readonly ofClient: boolean; readonly isRefused: boolean },
): Error {
  if (ofClient) return new ServiceIsRefused(displayName, CLIENT_REFUSED);
  return isRefused
    ? new AuthorizationFailed(`${issuer} did not accept the sign-in. Start it again.`)
    : new NetworkIsUnavailable(displayName);
}

export function refusedRenewal(
  response: OutboundResponse,
  isDead: (response: Answered) => boolean,
  ofClient: (response: OutboundResponse) => boolean,
): RenewalResult {
  if (ofClient(response)) return { kind: 'misconfigured' };
  if (!isFinal(response) || !isDead(response)) return { kind: 'unavailable' };
  return { kind: 'dead', networkCode: wordsIn(memberOf(response.body, 'error'), MAX_ERROR) ?? undefined };
}

function tokenIn(body: unknown, name: string): string | null {
  const token = memberOf(body, name);
  return typeof token === 'string' && token !== '' ? token : null;
}
