import { CallIsRefused } from '../../wire/response.js';
import { invalidRequest } from './problems.js';
import type { X, XAccount } from './x.js';

/** The requested fields of `parameter`. @throws CallIsRefused for an unknown one */
export function fieldsAskedFor(
  query: URLSearchParams,
  parameter: string,
  known: readonly string[],
): readonly string[] {
  const fields = (query.get(parameter) ?? '').split(',').filter((field) => field !== '');
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return fields;
  const message = `The \`${parameter}\` query parameter value [${unknown}] is not one of [${known.join(',')}]`;
  throw new CallIsRefused(invalidRequest(message, { [parameter]: [query.get(parameter) ?? ''] }));
}

/** What an expansion of the current API file adds to each post. */
const EXPANDED: Readonly<Record<string, string>> = { 'referenced_posts.id': 'referenced_posts' };

/**
 * The fields of posts by their current names (`post.fields` and `expansions`) or by the former ones (`tweet.fields`); in the current API
 * file, referenced posts are an expansion.
 */
export function postFieldsAskedFor(query: URLSearchParams, known: readonly string[]): readonly string[] {
  if (!query.has('post.fields')) return fieldsAskedFor(query, 'tweet.fields', known);
  const current = known.filter((field) => field !== 'referenced_tweets');
  const fields = fieldsAskedFor(query, 'post.fields', current);
  const expansions = (query.get('expansions') ?? '').split(',');
  return [...fields, ...expansions.flatMap((name) => EXPANDED[name] ?? [])];
}

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
