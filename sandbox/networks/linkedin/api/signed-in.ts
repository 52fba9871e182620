import type { Call } from '../../../wire/call.js';
import type { Handled } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import type { Caller as CallerOf } from '../../kit/network.js';
import { type LinkedInAccount, mayPost } from '../state/linkedin-accounts.js';
import type { LinkedIn } from '../state/linkedin.js';
import { denied, invalid, unauthorized, versionMissing, versionRetired } from '../state/problems.js';

export type Caller = CallerOf<LinkedInAccount>;

type Handle = (call: Call, caller: Caller) => Handled;

/** A route of /rest: a token, a version that is served, and the protocol version. */
export const versioned = (
  linkedin: LinkedIn,
  method: Route['method'],
  path: string,
  handle: Handle,
): Route => ({
  method,
  path,
  handle(call) {
    const version = call.headers['linkedin-version'];
    const { oldestVersion } = linkedin.settings;
    if (typeof version !== 'string' || version === '') return versionMissing();
    if (!/^\d{6}$/.test(version) || version < (oldestVersion ?? '')) return versionRetired(version);
    if (call.headers['x-restli-protocol-version'] !== '2.0.0')
      return invalid('X-RestLi-Protocol-Version must be 2.0.0');
    return signedIn(linkedin, call, handle);
  },
});

export function signedIn(linkedin: LinkedIn, call: Call, handle: Handle): Handled {
  const caller = call.bearerToken === null ? undefined : linkedin.callerOf(call);
  if (!caller) return unauthorized(linkedin.grants.endOf(call.bearerToken ?? '') ?? 'unknown');
  if (caller.account.suspended) return denied('the member is restricted');
  return handle(call, caller);
}

/** Whether the caller may act as this author: itself, or an organization in which it has a role that allows posts. */
export function mayActAs({ account, grant }: Caller, author: LinkedInAccount): boolean {
  return author.kind === 'member'
    ? author.id === account.id && grant.scopes.includes('w_member_social')
    : !author.suspended && grant.scopes.includes('w_organization_social') && mayPost(author, account);
}
