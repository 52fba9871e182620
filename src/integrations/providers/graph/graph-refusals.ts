import { inDoubt } from '#libs/content';
import type { Refusal } from '../../domain/provider-publishing.js';
import {
  configuration,
  FAILURES,
  type FailureTemplate,
  permanent,
  RECONNECT,
  REFRESH,
  refusal,
  transient,
} from '../failures.js';
import { type GraphError, isGraphError, networkCodeOf, readGraphError } from './graph-errors.js';
import type { OutboundResponse } from '#libs/outbound-http';
import { NetworkIsUnavailable } from '../../domain/integration.errors.js';
import { type Answered, signInRefusal } from '../token-endpoint.js';
import { memberOf } from '../values.js';

/*
 * What the codes mean that Facebook, Instagram and Threads have in common: developers.facebook.com/docs/graph-api/guides/error-handling
 * and /docs/graph-api/overview/rate-limiting (read 2026-11-21).
 */

/** Application, user, page, application, calls of one kind. */
const THROTTLES = [4, 17, 32, 341, 613];
/** Business use cases: 80001 page, 80002 Instagram, and more. */
const isBusinessThrottle = (code: number): boolean => code >= 80_001 && code <= 80_014;
/** Token ended, and session ended. */
const TOKEN = [102, 190];
/** An unknown error, and a service that is not available: the network recommends a repeat. */
const UNAVAILABLE = [1, 2];
const BLOCKED = 368;

/** The limit of an application is of one hour, of a page of a day; the share that was used declines continuously. */
const THROTTLED_MS = 15 * 60_000;
/** Not published by the network. Clients report hours to days. */
const BLOCKED_MS = 4 * 60 * 60_000;

/**
 * The application lacks a capability, its version is gone, it is unknown. Others have codes of tokens and permissions and differ by their
 * words only (issues of clients; developers.facebook.com/docs/graph-api/guides/error-handling). Errors with other codes repeat what was
 * sent, so their words prove nothing.
 */
const OF_APPLICATION = [3, 12, 101];
const APPLICATION_WORDS =
  /api access (blocked|disabled|deactivated)|error validating application|application has been (deleted|disabled)|temporarily disabled for non-active apps/;

export function refusesApplication(error: GraphError): boolean {
  const { code, words } = error;
  if (code === null) return false;
  const isAboutAccess = TOKEN.includes(code) || isPermissionMissing(error);
  return OF_APPLICATION.includes(code) || (isAboutAccess && APPLICATION_WORDS.test(words));
}

function isThrottled({ status, code }: GraphError): boolean {
  return code === null ? status === 429 : THROTTLES.includes(code) || isBusinessThrottle(code);
}

export function isTokenRefused(error: GraphError): boolean {
  return error.code !== null && TOKEN.includes(error.code) && !refusesApplication(error);
}

/** A permission is missing: `10`, and `200` to `299`. */
export function isPermissionMissing({ code }: GraphError): boolean {
  return code !== null && (code === 10 || (code >= 200 && code <= 299));
}

/** The network does not say whether the call had an effect. */
function isInDoubt({ code, isTransient }: GraphError): boolean {
  return isTransient || (code !== null && UNAVAILABLE.includes(code));
}

/**
 * What a refusal means on each of these networks; null: the network's own table decides. Its subcodes are more specific, so it is
 * asked first.
 * @param waitMs until calls are accepted again, by the headers; null: not stated
 */
export function commonRefusal(displayName: string, error: GraphError, waitMs: number | null): Refusal | null {
  const networkCode = networkCodeOf(error);
  const as = (template: FailureTemplate, remedy?: Refusal['remedy']) =>
    refusal(displayName, networkCode, template, remedy);
  if (refusesApplication(error)) return as(CLIENT_FORBIDDEN);
  if (isTokenRefused(error)) return as(tokenRefused(error), REFRESH);
  if (isThrottled(error))
    return as(FAILURES.rateLimited, { kind: 'hold', milliseconds: waitMs ?? THROTTLED_MS });
  if (error.code === BLOCKED) return as(TEMPORARILY_BLOCKED, { kind: 'hold', milliseconds: BLOCKED_MS });
  if (isPermissionMissing(error)) return as(FORBIDDEN);
  if (isInDoubt(error)) return mayBeLive(displayName, networkCode);
  return null;
}

export const mayBeLive = (displayName: string, networkCode: string): Refusal => ({
  failure: inDoubt(`${displayName} reports an error of its own. The post may be live.`, networkCode),
});

export const unknownRefusal = (displayName: string, error: GraphError): Refusal =>
  refusal(displayName, networkCodeOf(error), FAILURES.refused);

/** Subcodes of 190 and 102; all end the token. */
const TOKEN_ENDED: Readonly<Record<number, readonly [message: string, nextStep: string]>> = {
  458: ['The person who connected this account has removed this service at {network}.', RECONNECT],
  459: [
    '{network} wants the person who connected this account to confirm their identity.',
    'Sign in to {network}, follow its instructions, then connect the account again.',
  ],
  460: ['The person who connected this account has changed their password at {network}.', RECONNECT],
  463: ['The connection of this account has expired at {network}.', RECONNECT],
  464: [
    'The person who connected this account is not confirmed at {network}.',
    'Sign in to {network}, follow its instructions, then connect the account again.',
  ],
  467: ['{network} has ended the connection of this account.', RECONNECT],
  492: [
    'The person who connected this account no longer has a role on it at {network}.',
    'Let a person with a role on it connect the account again, then retry the post.',
  ],
};

function tokenRefused({ subcode }: GraphError): FailureTemplate {
  const ended = TOKEN_ENDED[subcode ?? 0];
  return ended ? ['token_refused', 'auth', ...ended] : FAILURES.tokenRefused;
}

const CLIENT_FORBIDDEN = configuration(
  'client_forbidden',
  '{network} does not let this service publish: it refuses the application.',
  'An operator has to check the application in the dashboard of Meta; the post is then sent.',
);
const TEMPORARILY_BLOCKED = transient(
  'temporarily_blocked',
  '{network} has blocked publishing of this account for some hours, because it takes it for abuse.',
  'Look at the account at {network} for a notice; wait some hours, then retry.',
);
const FORBIDDEN = permanent(
  'forbidden_by_network',
  '{network} does not allow this service to publish to this account.',
  'Check your role on the account at {network}, then connect it again and allow everything that is asked.',
);

export function graphSignInRefusal(
  displayName: string,
  response: OutboundResponse,
  refusesClient: (error: GraphError, body: unknown) => boolean,
): Error {
  if (response.kind !== 'answered' || !isSignInError(response)) return new NetworkIsUnavailable(displayName);
  if (response.status >= 500 || response.status < 400) return new NetworkIsUnavailable(displayName);
  const error = readGraphError(response.status, response.body);
  const ofClient = refusesClient(error, response.body);
  return signInRefusal({ displayName }, { ofClient, isRefused: !isThrottled(error) && !isInDoubt(error) });
}

/** Instagram and Threads refuse a code with `{error_type, code, error_message}`. */
const isSignInError = (response: Answered): boolean =>
  isGraphError(response) || typeof memberOf(response.body, 'error_message') === 'string';
