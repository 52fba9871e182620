import { isRecord, list, type Members, record } from './values.js';

/** Not expressible in the dialect; `path` is where. */
export class SchemaIsNotClosed extends Error {
  constructor(readonly path: string) {
    super('A part of the schema cannot be sent to this model.');
  }
}

/** Taken as they are. */
const KEPT = new Set(['type', 'title', 'description', 'enum', 'const', 'default', 'required', '$ref']);
const FORMATS = new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '));
/** Say nothing about values, or are written anew. */
const LEFT_OUT = new Set(
  `additionalProperties properties items anyOf oneOf allOf $defs definitions $schema $id $comment examples deprecated readOnly
  writeOnly`.split(/\s+/),
);
const INTERNAL = /^#\/(\$defs|definitions)\/[^/]+$/;

/**
 * The schema for providers that take a part of JSON Schema only (platform.claude.com/docs, structured outputs): objects without other
 * properties, no bounds of numbers, texts and lists, no recursion. Bounds become a part of the description, and the text of the response
 * is checked by the whole schema. @throws SchemaIsNotClosed
 */
export function closedSchema(schema: Members): Members {
  assertNoCycle(schema);
  return closed(schema, '');
}

function closed(given: unknown, path: string): Members {
  if (!isRecord(given)) throw new SchemaIsNotClosed(path);
  const schema = inlined(given, path);
  const { $ref: reference, properties, items, $defs, definitions } = schema;
  if (reference !== undefined && !(typeof reference === 'string' && INTERNAL.test(reference)))
    throw new SchemaIsNotClosed(path);
  const variants = schema.anyOf ?? schema.oneOf;
  const isObject = hasType(schema, 'object') || properties !== undefined;
  if (isObject && Object.keys(record(properties)).length === 0 && schema.additionalProperties !== false)
    throw new SchemaIsNotClosed(path);
  const isAny = !['type', 'enum', 'const', '$ref'].some((name) => name in schema) && !isObject && !variants;
  if (isAny) throw new SchemaIsNotClosed(path);
  const each = (members: unknown, name: string) =>
    Object.fromEntries(
      Object.entries(record(members)).map(([key, one]) => [key, closed(one, `${path}/${name}/${key}`)]),
    );
  return {
    ...kept(schema),
    ...(isObject && { type: schema.type ?? 'object', properties: each(properties, 'properties') }),
    ...(isObject && { additionalProperties: false }),
    ...(items !== undefined && { items: closed(items, `${path}/items`) }),
    ...(variants !== undefined && {
      anyOf: list(variants).map((one, index) => closed(one, `${path}/anyOf/${index}`)),
    }),
    ...($defs !== undefined && { $defs: each($defs, '$defs') }),
    ...(definitions !== undefined && { definitions: each(definitions, 'definitions') }),
  };
}

/** Generators write a reference with more members as `allOf` of one. */
function inlined({ allOf, ...schema }: Members, path: string): Members {
  if (allOf === undefined) return schema;
  const [only, another] = list(allOf);
  if (!isRecord(only) || another !== undefined) throw new SchemaIsNotClosed(`${path}/allOf`);
  return { ...only, ...schema };
}

const hasType = ({ type }: Members, name: string): boolean => type === name || list(type).includes(name);

function kept(schema: Members): Members {
  const entries = Object.entries(schema).filter(([name]) => !LEFT_OUT.has(name));
  const taken = entries.filter(([name, value]) => isTaken(name, value));
  const bounds = Object.fromEntries(entries.filter(([name, value]) => !isTaken(name, value)));
  const words = [schema.description, Object.keys(bounds).length > 0 && JSON.stringify(bounds)];
  const description = words.filter((one) => typeof one === 'string' && one !== '').join(' ');
  return { ...Object.fromEntries(taken), ...(description !== '' && { description }) };
}

function isTaken(name: string, value: unknown): boolean {
  if (name === 'format') return FORMATS.has(String(value));
  if (name === 'minItems') return value === 0 || value === 1;
  if (name === 'enum') return list(value).every((one) => typeof one !== 'object' || one === null);
  return KEPT.has(name);
}

/** Of the definitions that refer to each other. */
function assertNoCycle(schema: Members): void {
  const definitions = { ...record(schema.definitions), ...record(schema.$defs) };
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    if (above.includes(name)) throw new SchemaIsNotClosed(`/$defs/${name}`);
    if (done.has(name)) return;
    for (const next of referencesIn(definitions[name])) visit(next, [...above, name]);
    done.add(name);
  };
  for (const name of Object.keys(definitions)) visit(name, []);
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isRecord(value)) return [];
  const { $ref: reference, ...rest } = value;
  const own = typeof reference === 'string' ? [reference.split('/').at(-1) ?? ''] : [];
  return [...own, ...Object.values(rest).flatMap(referencesIn)];
}
