import type { ProfileOfToken, ProfileSource } from '../containers/container-profile.js';
import { graphIdIn } from '../graph/graph-values.js';
import { addressIn, memberOf, wordsIn } from '../values.js';

const FIELDS = 'id,username,name,threads_profile_picture_url';
/** UTF-16 units. */
const MAX_NAME = 200;

/** developers.facebook.com/docs/threads/threads-profiles (2026-04-14), `GET /me`. */
export const threadsProfile = (baseUrl: string): ProfileSource => ({
  displayName: 'Threads',
  url: `${baseUrl}/me?${new URLSearchParams({ fields: FIELDS }).toString()}`,
  profileIn,
});

function profileIn(body: unknown): ProfileOfToken | null {
  const accountId = graphIdIn(memberOf(body, 'id'));
  const username = wordsIn(memberOf(body, 'username'), MAX_NAME);
  if (accountId === null || username === null) return null;
  return {
    accountId,
    username,
    displayName: wordsIn(memberOf(body, 'name'), MAX_NAME) ?? username,
    avatarUrl: addressIn(memberOf(body, 'threads_profile_picture_url')),
    facts: {},
    consentId: null,
  };
}
