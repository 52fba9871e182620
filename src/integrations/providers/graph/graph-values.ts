/** Ids of the Graph API are numbers in decimal; those of posts of a page are two, joined by an underscore. */
const ID = /^\d{1,25}(_\d{1,25})?$/;

/** The id of an account, a post, a container or a photo; null for anything else. Some older interfaces answer a number. */
export function graphIdIn(value: unknown): string | null {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof id === 'string' && ID.test(id) ? id : null;
}
