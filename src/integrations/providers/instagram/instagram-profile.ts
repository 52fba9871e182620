import type { ProfileOfToken, ProfileSource } from '../containers/container-profile.js';
import { graphIdIn } from '../graph/graph-values.js';
import { addressIn, memberOf, wordsIn } from '../values.js';

/** `id` is known to this app only, `user_id` is the account; publishing takes the second one. */
const FIELDS = 'id,user_id,username,name,account_type,profile_picture_url';
/** UTF-16 units. */
const MAX_NAME = 200;

/** developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user (2026-04-22), `GET /me`. */
export const instagramProfile = (baseUrl: string): ProfileSource => ({
  displayName: 'Instagram',
  url: `${baseUrl}/me?${new URLSearchParams({ fields: FIELDS }).toString()}`,
  profileIn,
});

function profileIn(body: unknown): ProfileOfToken | null {
  const accountId = graphIdIn(memberOf(body, 'user_id'));
  const username = wordsIn(memberOf(body, 'username'), MAX_NAME);
  if (accountId === null || username === null) return null;
  const accountType = wordsIn(memberOf(body, 'account_type'), MAX_NAME);
  return {
    accountId,
    username,
    displayName: wordsIn(memberOf(body, 'name'), MAX_NAME) ?? username,
    avatarUrl: addressIn(memberOf(body, 'profile_picture_url')),
    facts: accountType === null ? {} : { accountType },
    consentId: graphIdIn(memberOf(body, 'id')),
  };
}
