import type { Handled, SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Caller } from '../../kit/network.js';
import type { SCOPES } from '../oauth/scopes.js';
import type { YoutubeAccount } from '../state/youtube-accounts.js';
import type { Youtube } from '../state/youtube.js';
import { authError, googleError } from '../state/google-errors.js';

export type YoutubeCaller = Caller<YoutubeAccount>;

/** With the caller of the access token, whose grant has one of the scopes. */
export function signedIn(
  youtube: Youtube,
  scopes: readonly (keyof typeof SCOPES)[],
  handle: (call: Call, caller: YoutubeCaller) => Handled,
): (call: Call) => Handled {
  return (call) => {
    const caller = youtube.callerOf(call);
    if (!caller) return authError();
    if (!scopes.some((scope) => caller.grant.scopes.includes(scope)))
      return googleError(403, 'insufficientPermissions', { domain: 'global' });
    return refusedAccount(caller) ?? handle(call, caller);
  };
}

function refusedAccount({ account }: YoutubeCaller): SandboxResponse | undefined {
  if (account.suspended) return googleError(403, 'authenticatedUserAccountSuspended');
  return undefined;
}
