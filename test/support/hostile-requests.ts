import fc from 'fast-check';
import type { Operation, Parameter, Schema, ServedApi } from './operations.js';

export interface HostileRequest {
  /** By the name of a parameter of the path; one that is missing is to be filled with what exists. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or what only looks like it; undefined for none. */
  readonly body?: string;
}

/** JSON text that is put into a body as it is: JSON.stringify would lose what it says. */
class Raw {
  constructor(readonly text: string) {}
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const strangeText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\udc00\ud800',
      '\u202e\u2066',
      'e\u0301'.repeat(50),
      '👩‍👩‍👧‍👦',
      'ﷺ',
    ],
    ...[
      'null',
      'undefined',
      'NaN',
      '__proto__',
      'constructor',
      '%00',
      "' OR 1=1 --",
      '\\',
      '$1',
      '${1}',
      '../../x',
    ],
    ...['2026-02-30T00:00:00Z', '9999-12-31T23:59:59.999Z', '-000001-01-01T00:00:00Z', '2027-01-01T00:00:00'],
    ...['2027-01-01T00:00:00+23:59', '0001-01-01T00:00:00-23:59', '00000000-0000-0000-0000-000000000000'],
    'x'.repeat(5_000),
  ),
);

const strangeValue: fc.Arbitrary<unknown> = fc.oneof(
  strangeText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.constantFrom<unknown>(
    ...[
      null,
      true,
      0,
      -0,
      -1,
      1e308,
      Number.MAX_SAFE_INTEGER,
      2 ** 31,
      2 ** 63,
      [],
      {},
      [[]],
      [null],
      ['x', 'x'],
    ],
    ...[
      new Raw('1e999'),
      new Raw('9'.repeat(400)),
      new Raw('-0.0e-999'),
      new Raw('{"__proto__":{"admin":true}}'),
    ],
    ...[new Raw(nested('[', ']', 200)), new Raw(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`)],
    ...[{ toString: 'x' }, { then: 'x' }, { constructor: { prototype: { admin: true } } }, { length: 1e9 }],
  ),
);

const strangeName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    '',
    'a\u0000',
  ),
  strangeText,
);

/** What a header may hold at all: Latin-1 without controls (RFC 9110, section 5.5). */
const headerValue = fc
  .oneof(strangeText, fc.constantFrom('"v1"', 'W/"v1"', '*', '"v99999999999999999999"', '"v-1", "v2"'))
  .map((text) => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, '').trim());

/** Requests to one operation: good ones, made from its schemas, with here and there something nobody should send. */
export function requestsTo(
  operation: Operation,
  api: ServedApi,
  sample: () => unknown,
): fc.Arbitrary<HostileRequest> {
  const by = (place: Parameter['in']) => operation.parameters.filter((one) => one.in === place);
  const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
  const valueFor = ({ schema }: Parameter) =>
    fc.oneof({ weight: 2, arbitrary: goodText(api, schema) }, { weight: 3, arbitrary: strangeText });
  const known = by('query').map((one) => fc.tuple(fc.constant(one.name), valueFor(one)));
  const unknown = fc.tuple(strangeName, strangeText);
  const query = fc.array(
    known.length > 0 ? fc.oneof({ weight: 6, arbitrary: fc.oneof(...known) }, unknown) : unknown,
    {
      maxLength: 5,
    },
  );
  return fc
    .record({
      ids: recordOf(by('path').map(({ name }) => [name, seldom(strangeText)])),
      query: fc.oneof({ weight: 12, arbitrary: query }, fc.constant(LONG_QUERY)),
      headers: recordOf(by('header').map(({ name }) => [name, seldom(headerValue)])),
      body: operation.body ? bodies(api, operation.body, sample) : fc.constant(undefined),
    })
    .map((request) => request as HostileRequest);
}

const LONG_QUERY = Array.from({ length: 300 }, (_, index) => [`parameter${index}`, 'x'.repeat(20)] as const);

function recordOf(
  entries: [string, fc.Arbitrary<string | undefined>][],
): fc.Arbitrary<Record<string, string>> {
  return fc
    .tuple(...entries.map(([name, value]) => value.map((one) => [name, one] as const)))
    .map((all) =>
      Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    );
}

function goodText(api: ServedApi, schema: Schema): fc.Arbitrary<string> {
  return fc.constant(undefined).map(() => String(api.sample(schema.items ?? schema)));
}

/** A good body as it is, with a field that is wrong, missing or too much, or something else instead. */
function bodies(api: ServedApi, schema: Schema, sample: () => unknown): fc.Arbitrary<string | undefined> {
  const fields = Object.keys(api.resolve(schema).properties ?? {});
  const name =
    fields.length > 0
      ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...fields) }, strangeName)
      : strangeName;
  const changes = fc.array(
    fc.tuple(name, fc.oneof({ weight: 4, arbitrary: strangeValue }, fc.constant(undefined))),
    {
      minLength: 1,
      maxLength: 2,
    },
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined).map(() => written(Object.entries(sample() as object))) },
    {
      weight: 8,
      arbitrary: changes.map((made) => written([...Object.entries(sample() as object), ...made])),
    },
    { weight: 2, arbitrary: strangeValue.map(json) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  );
}

/** The last of equal names counts, as in most parsers; undefined takes the field away. */
function written(entries: readonly (readonly [string, unknown])[]): string {
  const fields = [...new Map(entries)].filter(([, value]) => value !== undefined);
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${json(value)}`).join()}}`;
}

function json(value: unknown): string {
  return value instanceof Raw ? value.text : (JSON.stringify(value) ?? 'null');
}
