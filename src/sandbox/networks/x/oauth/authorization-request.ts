import type { XClient } from '../x.js';

/** An authorization request of an app. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly challenge: string;
  readonly challengeMethod: 'S256' | 'plain';
}

/** Every scope of X, with its text on the consent page. */
export const SCOPES: Readonly<Record<string, string>> = {
  'tweet.read': 'See posts, including those of protected accounts you follow.',
  'tweet.write': 'Create and delete posts for you.',
  'tweet.moderate.write': 'Hide and unhide replies to your posts.',
  'users.read': 'See your profile and any account you can view.',
  'users.email': 'See your email address.',
  'follows.read': 'See people who follow you and whom you follow.',
  'follows.write': 'Follow and unfollow people for you.',
  'offline.access': 'Stay connected to your account until you revoke access.',
  'space.read': 'See Spaces you can view.',
  'mute.read': 'See accounts you have muted.',
  'mute.write': 'Mute and unmute accounts for you.',
  'like.read': 'See posts you have liked.',
  'like.write': 'Like and unlike posts for you.',
  'list.read': 'See lists and their members.',
  'list.write': 'Create and manage lists for you.',
  'block.read': 'See accounts you have blocked.',
  'block.write': 'Block and unblock accounts for you.',
  'bookmark.read': 'See your bookmarks.',
  'bookmark.write': 'Bookmark and remove bookmarks for you.',
  'dm.read': 'Read your direct messages.',
  'dm.write': 'Send direct messages for you.',
  'media.write': 'Upload media such as photos and videos for you.',
};

const MAX_STATE = 500;
/** RFC 7636: 43 to 128 unreserved characters. */
const CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Parses an authorization request, or returns the reason of the refusal as one sentence. X shows a refusal to the person and never
 * redirects with it, since the redirect address itself may be the lie.
 */
export function parseAuthorizationRequest(
  parameters: URLSearchParams,
  client: XClient,
): AuthorizationRequest | string {
  const get = (name: string): string => parameters.get(name) ?? '';
  if (get('response_type') !== 'code') return 'response_type must be code.';
  if (get('client_id') !== client.id) return 'client_id is not the id of a registered app.';
  if (!client.redirectUris.includes(get('redirect_uri'))) {
    return 'redirect_uri is not exactly one of the callback addresses registered for this app.';
  }
  if (get('state') === '' || get('state').length > MAX_STATE) return 'state must have 1 to 500 characters.';
  const scopes = get('scope').split(' ').filter(Boolean);
  if (scopes.length === 0) return 'scope must name at least one scope.';
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (unknown !== undefined) return `scope names ${unknown.slice(0, 40)}, which does not exist.`;
  const method = get('code_challenge_method') || 'plain';
  if (method !== 'S256' && method !== 'plain') return 'code_challenge_method must be S256 or plain.';
  if (!CHALLENGE.test(get('code_challenge')))
    return 'code_challenge must have 43 to 128 unreserved characters.';
  return {
    clientId: client.id,
    redirectUri: get('redirect_uri'),
    scopes: [...new Set(scopes)],
    state: get('state'),
    challenge: get('code_challenge'),
    challengeMethod: method,
  };
}

/** The request as parameters again, for the form of the consent page. */
export function parametersOf(request: AuthorizationRequest): Record<string, string> {
  return {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: request.challengeMethod,
  };
}

export function returnTo(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.toString();
}
