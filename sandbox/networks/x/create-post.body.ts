import { anything, flag, id, listOf, objectOf, oneOf, text } from './body-checks.js';

/** The body of POST /2/tweets, as far as the sandbox acts on it. */
export interface CreatePostBody {
  readonly text?: string;
  readonly reply?: {
    readonly in_reply_to_tweet_id: string;
    readonly exclude_reply_user_ids?: readonly string[];
  };
  readonly media?: { readonly media_ids: readonly string[] };
  readonly made_with_ai?: boolean;
  /** Members that the specification has and this app is not enrolled for, such as `quote_tweet_id`. */
  readonly beyondAccess: readonly string[];
}

const BEYOND_ACCESS = {
  card_uri: text,
  community_id: id,
  direct_message_deep_link: text,
  edit_options: anything,
  for_super_followers_only: flag,
  geo: objectOf({ place_id: text }),
  nullcast: flag,
  paid_partnership: flag,
  poll: anything,
  quote_tweet_id: id,
  share_with_followers: flag,
};

/** TweetCreateRequest of X's OpenAPI document 2.167. */
const BODY = objectOf({
  text,
  reply: objectOf(
    {
      in_reply_to_tweet_id: id,
      exclude_reply_user_ids: listOf(id, 0, 100),
      auto_populate_reply_metadata: flag,
    },
    ['in_reply_to_tweet_id'],
  ),
  media: objectOf({ media_ids: listOf(id, 1, 4), tagged_user_ids: listOf(id, 0, 10) }, ['media_ids']),
  reply_settings: oneOf('following', 'mentionedUsers', 'subscribers', 'verified'),
  made_with_ai: flag,
  ...BEYOND_ACCESS,
});

export function parseCreatePost(value: unknown): CreatePostBody {
  BODY(value, '$');
  const body = value as Omit<CreatePostBody, 'beyondAccess'> & Record<string, unknown>;
  const beyondAccess = Object.keys(BEYOND_ACCESS).filter(
    (name) => body[name] !== undefined && body[name] !== false,
  );
  return { ...body, beyondAccess };
}
