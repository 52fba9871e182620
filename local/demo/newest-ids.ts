import { UnexpectedStatus, type Visitor } from './visitor.js';

/** A part of a path that ends with a parameter, and the name of the parameter. */
type Place = readonly [place: string, name: string];

/** Parameters that mean the same. */
const SAME_AS: Readonly<Record<string, string>> = { contentId: 'postId' };

/** Finds an id for each parameter in the paths of a service: that of the newest entry of the list at the path before it. */
export class NewestIds {
  constructor(
    private readonly url: string,
    private readonly person: Visitor,
  ) {}

  /** @param known by name @returns by place, and the known ones by name */
  async of(
    paths: readonly string[],
    known: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const places = [...new Map(paths.flatMap(placesIn))];
    places.sort(([one], [other]) => one.length - other.length);
    const byPlace: Record<string, string> = {};
    const byName: Record<string, string> = { ...known };
    for (const [place, name] of places) {
      const list = place.slice(0, place.lastIndexOf('/'));
      const value =
        byName[name] ?? (paths.includes(list) ? await this.newestIn(list, name, byPlace) : undefined);
      if (value === undefined) continue;
      byPlace[place] = value;
      if (name !== 'id') byName[name] = value;
    }
    for (const [place, name] of places) {
      const value = byPlace[place] ?? byName[SAME_AS[name] ?? name];
      if (value !== undefined) byPlace[place] = value;
    }
    return { ...byName, ...byPlace };
  }

  private async newestIn(
    list: string,
    name: string,
    byPlace: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const address = filled(list, byPlace);
    if (address.includes('{')) return undefined;
    try {
      const answer = await this.person.json<{ data?: readonly Record<string, unknown>[] }>(
        'GET',
        `${this.url}${address}?limit=1`,
      );
      const value = answer.data?.[0]?.id ?? answer.data?.[0]?.[name];
      return typeof value === 'string' ? value : undefined;
    } catch (error) {
      // Some lists are for platform administrators or services, and some paths have none.
      if (error instanceof UnexpectedStatus) return undefined;
      throw error;
    }
  }
}

const placesIn = (path: string): Place[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => [path.slice(0, match.index) + match[0], match[1] ?? '']);

/** Keeps parameters without a value. */
const filled = (path: string, byPlace: Readonly<Record<string, string>>): string =>
  path.replace(
    /\{\w+\}/g,
    (parameter, offset: number) => byPlace[path.slice(0, offset) + parameter] ?? parameter,
  );
