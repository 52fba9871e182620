/** Ids of posts are 64-bit numbers in decimal. */
const ID = /^\d{1,25}$/;

/** The id of a post; null for anything else. */
export function postIdIn(value: unknown): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}
