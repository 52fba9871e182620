/** Ids of the Graph API are numbers in decimal; those of posts of a page are two, joined by an underscore. */
const ID = /^\d{1,25}(_\d{1,25})?$/;

/** The id of an account, a post, a container or a photo; null for anything else. Some older interfaces answer a number. */
export function graphIdIn(value: unknown): string | null {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof id === 'string' && ID.test(id) ? id : null;
}

/** Tokens of Meta have about 250 characters. */
const TOKEN = /^[\x21-\x7e]{1,4000}$/;

/** A token, as it can be sent in a header; null for anything else. */
export function graphTokenIn(value: unknown): string | null {
  return typeof value === 'string' && TOKEN.test(value) ? value : null;
}
