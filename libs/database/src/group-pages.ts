/** Before and after every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The condition of a page of one group in the order of ids: `ORDER BY group, id`, both in the same direction. Only an index
 * that begins with the group has that order. With `group = $1 ORDER BY id` the planner would also consider the index of all
 * ids, and where statistics show few groups it would read the newer rows of all others before the first of this one.
 * @param from the id before or after the page, of which one is given
 */
export function ofGroup(
  group: string,
  id: string,
  value: string,
  from: { readonly after: string } | { readonly before: string },
): string {
  return 'after' in from
    ? `(${group}, ${id}) > (${value}, ${from.after}) AND ${group} <= ${value}`
    : `(${group}, ${id}) < (${value}, ${from.before}) AND ${group} >= ${value}`;
}

/**
 * The condition of rows of one group, for a large LIMIT: `ORDER BY group, id` has the same index as with `ofGroup`, and the planner
 * can tell how many rows there are. It does not derive from an array of one that the group need not be sorted by.
 */
export const inGroup = (group: string, value: string): string => `${group} = ANY (ARRAY[${value}])`;
