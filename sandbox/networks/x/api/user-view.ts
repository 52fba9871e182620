import type { X } from '../state/x.js';
import type { XAccount } from '../state/x-accounts.js';

/** `user.fields` with values in the sandbox; other valid fields are omitted, as X omits empty ones. */
const SHOWN: Readonly<Record<string, (account: XAccount, x: X) => unknown>> = {
  created_at: (account) => account.createdAt,
  description: (account) => account.description,
  profile_image_url: (account, x) => x.baseUrl + x.avatarPath(account),
  protected: () => false,
  public_metrics: (account, x) => ({
    followers_count: 0,
    following_count: 0,
    tweet_count: x.posts.by(account.id).length,
    listed_count: 0,
    like_count: 0,
    media_count: 0,
  }),
  subscription_type: (account) => account.subscriptionType,
  url: () => '',
  verified: (account) => account.verified,
  verified_type: (account) => account.verifiedType,
};

const ALWAYS = ['id', 'name', 'username'];
const NEVER_SET = [
  'affiliation',
  'confirmed_email',
  'connection_status',
  'entities',
  'is_identity_verified',
  'location',
  'most_recent_tweet_id',
  'parody',
  'pinned_tweet_id',
  'profile_banner_url',
  'receives_your_dm',
  'subscription',
  'verified_followers_count',
  'withheld',
];

export const USER_FIELDS: readonly string[] = [...ALWAYS, ...Object.keys(SHOWN), ...NEVER_SET].sort();

export function userView(x: X, account: XAccount, fields: readonly string[]): Record<string, unknown> {
  const view: Record<string, unknown> = { id: account.id, name: account.name, username: account.username };
  for (const field of fields) {
    const show = SHOWN[field];
    if (show) view[field] = show(account, x);
  }
  return view;
}
