import { callOf } from './call.js';
import { ServedApi } from './operations.js';

const PAGING = ['limit', 'limitPerStage', 'cursor', 'includeTotal', 'page'];
/** Headers of services. They say who calls, and filter nothing. */
const CALLERS = ['X-Application-Id', 'X-User-Id'];
/** Of more filters, all pairs and all together are asked instead of every combination. */
const MOST_COMBINED = 7;

export type Filters = Readonly<Record<string, string>>;

interface Page {
  readonly data: unknown;
  readonly next: string | null;
}

/** A list of which at least two rows match all filters together. */
export interface WalkedList {
  /** With the values of its parameters; default: as documented. */
  readonly path?: string;
  /** Of each filter, by its name; those that begin with `X-` are headers. */
  readonly values: Filters;
  /** Of the caller, who always sends them, so that they are no filters; default: those that are given for all lists. */
  readonly headers?: Filters;
  /** Whether these filters match one row, or rows of one page. */
  readonly hasOnePage?: (chosen: Filters) => boolean;
  /** Default: `limit`. */
  readonly limit?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- of the body of the list
  readonly pageOf?: (body: any) => Page;
}

/** By the documented path: each list is walked once for each entry. */
export type WalkedLists = Readonly<Record<string, readonly WalkedList[]>>;

/**
 * Asks every list that a service documents with the combinations of its filters: the first page, and then the one behind its cursor.
 * @returns what is wrong, lists and filters included that are missing here
 */
export async function problemsOfLists(url: string, headers: Filters, lists: WalkedLists): Promise<string[]> {
  const { operations } = await ServedApi.at(url);
  const paged = operations.filter(
    ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'cursor'),
  );
  const documented = paged.map(({ path }) => path);
  const problems = Object.keys(lists).filter((path) => !documented.includes(path));
  for (const { path, parameters } of paged) {
    const names = parameters
      .filter(({ name, in: where }) => where !== 'path' && ![...PAGING, ...CALLERS].includes(name))
      .map(({ name }) => name);
    if (!lists[path]) problems.push(`${path} is not walked`);
    for (const list of lists[path] ?? []) {
      const filters = names.filter((name) => !(name.toLowerCase() in (list.headers ?? {})));
      if (String(Object.keys(list.values).sort()) !== String(filters.sort()))
        problems.push(`${path} has the filters ${filters.join(', ')}`);
      const walked = { path, headers, ...list };
      const found = combinationsOf(list.values).map((chosen) => problemsOf(url, walked, chosen));
      problems.push(...(await Promise.all(found)).flat());
    }
  }
  return problems;
}

async function problemsOf(
  url: string,
  list: WalkedList & { readonly path: string; readonly headers: Filters },
  chosen: Filters,
): Promise<string[]> {
  const asked = `${list.path} ${JSON.stringify(chosen)}`;
  const pageOf =
    list.pageOf ?? (({ data, pagination }): Page => ({ data, next: pagination?.nextCursor ?? null }));
  const page = async (cursor: string | null) => {
    const given = Object.entries(chosen);
    const sent = Object.fromEntries(given.filter(([name]) => name.startsWith('X-')));
    const query = Object.fromEntries(given.filter(([name]) => !name.startsWith('X-')));
    const paging = { [list.limit ?? 'limit']: '1', ...(cursor !== null && { cursor }) };
    const search = new URLSearchParams({ ...query, ...paging }).toString();
    const { status, body } = await callOf(url, { ...list.headers, ...sent })('GET', `${list.path}?${search}`);
    return { status, ...(status === 200 ? pageOf(body) : { data: null, next: null }) };
  };
  const first = await page(null);
  if (first.status !== 200) return [`${asked}: ${first.status}`];
  const isExpectedToEnd = list.hasOnePage?.(chosen) ?? false;
  if (first.next === null) return isExpectedToEnd ? [] : [`${asked}: one page`];
  const second = await page(first.next);
  if (second.status !== 200) return [`${asked}, second page: ${second.status}`];
  const isSame = JSON.stringify(second.data) === JSON.stringify(first.data);
  return isSame ? [`${asked}: the same page twice`] : [];
}

function combinationsOf(values: Filters): Filters[] {
  const all = Object.entries(values);
  const chosen = (...entries: [string, string][]): Filters => Object.fromEntries(entries);
  if (all.length > MOST_COMBINED)
    return [{}, ...all.flatMap((one, at) => all.slice(at).map((other) => chosen(one, other))), values];
  return all.reduce<Filters[]>(
    (subsets, [name, value]) => [...subsets, ...subsets.map((subset) => ({ ...subset, [name]: value }))],
    [{}],
  );
}
