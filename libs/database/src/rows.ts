/** What a view shows, as pg reads it: an instant, whose name ends in `At`, is a Date. */
export type RowOf<View> = {
  readonly [Name in keyof View]: Name extends `${string}At` ? Date | Extract<View[Name], null> : View[Name];
};

/** Writes the instants of a row in RFC 3339, UTC, milliseconds. */
export function viewOf<View extends object>(row: RowOf<View>): View {
  const members = Object.entries(row as object).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(members) as View;
}
