/** The body of POST /2/tweets, as far as the sandbox acts on it. */
export interface CreatePostBody {
  readonly text?: string;
  readonly reply?: {
    readonly in_reply_to_tweet_id: string;
    readonly exclude_reply_user_ids?: readonly string[];
  };
  readonly media?: { readonly media_ids: readonly string[] };
  /** Members that the specification has and this app is not enrolled for, such as `quote_tweet_id`. */
  readonly beyondAccess: readonly string[];
}

/** What is wrong with a body, in X's words. */
export class BodyIsInvalid extends Error {
  override name = 'BodyIsInvalid';
}

type Check = (value: unknown, path: string) => void;

const ID = /^[0-9]{1,19}$/;

const text: Check = (value, path) => {
  if (typeof value !== 'string') throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, string expected`);
};

const flag: Check = (value, path) => {
  if (typeof value !== 'boolean')
    throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, boolean expected`);
};

const id: Check = (value, path) => {
  text(value, path);
  if (!ID.test(String(value))) {
    throw new BodyIsInvalid(`${path}: does not match the regex pattern ^[0-9]{1,19}$`);
  }
};

const anything: Check = () => undefined;

const oneOf =
  (...values: readonly string[]): Check =>
  (value, path) => {
    if (!values.includes(value as string)) {
      throw new BodyIsInvalid(`${path}: does not have a value in the enumeration [${values.join(', ')}]`);
    }
  };

const listOf =
  (check: Check, min: number, max: number): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, array expected`);
    if (value.length < min)
      throw new BodyIsInvalid(`${path}: there must be a minimum of ${min} items in the array`);
    if (value.length > max)
      throw new BodyIsInvalid(`${path}: there must be a maximum of ${max} items in the array`);
    value.forEach((item, index) => check(item, `${path}[${index}]`));
  };

const objectOf =
  (members: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, object expected`);
    }
    for (const name of required) {
      if (!(name in value)) throw new BodyIsInvalid(`${path}.${name}: is missing but it is required`);
    }
    for (const [name, member] of Object.entries(value)) {
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (!check) {
        throw new BodyIsInvalid(
          `${path}.${name}: is not defined in the schema and the schema does not allow additional properties`,
        );
      }
      check(member, `${path}.${name}`);
    }
  };

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

/** @throws BodyIsInvalid */
export function parseCreatePost(value: unknown): CreatePostBody {
  BODY(value, '$');
  const body = value as Omit<CreatePostBody, 'beyondAccess'> & Record<string, unknown>;
  const beyondAccess = Object.keys(BEYOND_ACCESS).filter(
    (name) => body[name] !== undefined && body[name] !== false,
  );
  return { ...body, beyondAccess };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
