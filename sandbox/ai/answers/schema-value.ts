export type JsonSchema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 20;
/** Items of a list at the top, where the schema does not say: enough to see that they are several. */
const TOP_ITEMS = 3;

/** A value that fits the schema, the same for the same schema and text. Patterns are not read. */
export function valueOf(schema: JsonSchema, text: string): unknown {
  return build(schema, { root: schema, text, name: '', item: '' }, 0);
}

interface Place {
  readonly root: JsonSchema;
  readonly text: string;
  /** Of the property. */
  readonly name: string;
  /** Of the innermost list around it: the number of the item, so that items of a list differ. */
  readonly item: string;
}

function build(given: JsonSchema, place: Place, depth: number): unknown {
  const schema = resolved(given, place.root);
  if (depth > MAX_DEPTH) return null;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return chosen(schema.enum, place.text);
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return build(firstFinite(union as JsonSchema[]), place, depth + 1);
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, place, depth);
    case 'array':
      return arrayOf(schema, place, depth);
    case 'string':
      return stringOf(schema, place);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** Follows references inside the document and merges `allOf`. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref: reference, allOf } = schema;
  if (typeof reference === 'string' && reference.startsWith('#')) {
    const target = reference
      .slice(1)
      .split('/')
      .filter((part) => part !== '')
      .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], root);
    return typeof target === 'object' && target !== null ? (target as JsonSchema) : {};
  }
  if (!Array.isArray(allOf)) return schema;
  const parts = (allOf as JsonSchema[]).map((part) => resolved(part, root));
  const properties = Object.assign({}, schema.properties, ...parts.map((part) => part.properties)) as object;
  const required = [schema, ...parts].flatMap((part) => (part.required as string[] | undefined) ?? []);
  return Object.assign({}, schema, ...parts, { allOf: undefined, properties, required }) as JsonSchema;
}

/** A union of a recursive schema ends by its last alternative, which usually is null. */
const firstFinite = (union: readonly JsonSchema[]): JsonSchema =>
  union.find((alternative) => !('$ref' in alternative) && alternative.type !== 'null') ?? union.at(-1) ?? {};

/** Google writes types in capital letters. */
function typeOf({ type, properties, items }: JsonSchema): string {
  const single = Array.isArray(type) ? (type.find((each) => each !== 'null') as unknown) : type;
  if (typeof single === 'string') return single.toLowerCase();
  if (properties !== undefined) return 'object';
  return items === undefined ? 'string' : 'array';
}

const chosen = (values: readonly unknown[], text: string): unknown =>
  values.find((value) => typeof value === 'string' && value !== '' && text.includes(value)) ?? values[0];

function objectOf({ properties = {} }: JsonSchema, place: Place, depth: number): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties as Record<string, JsonSchema>))
    value[name] = build(schema, { ...place, name: `${name}${place.item}` }, depth + 1);
  return value;
}

function arrayOf({ items = {}, minItems, maxItems }: JsonSchema, place: Place, depth: number): unknown[] {
  const least = typeof minItems === 'number' ? minItems : depth === 1 ? TOP_ITEMS : 1;
  const most = typeof maxItems === 'number' ? maxItems : Infinity;
  const length = depth > MAX_DEPTH / 2 ? least : Math.min(Math.max(least, 1), most);
  return Array.from({ length }, (_, index) =>
    build(
      items as JsonSchema,
      { ...place, name: `${place.name} ${index + 1}`, item: ` ${index + 1}` },
      depth + 1,
    ),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00Z',
  date: '2026-01-15',
  time: '09:30:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function stringOf({ format, minLength, maxLength }: JsonSchema, { text, name }: Place): string {
  const fixed = typeof format === 'string' ? FORMATS[format] : undefined;
  if (fixed !== undefined) return fixed;
  const written = `${name}: ${text}`.slice(0, 80).trim();
  const padded = typeof minLength === 'number' ? written.padEnd(minLength, '.') : written;
  return typeof maxLength === 'number' ? [...padded].slice(0, maxLength).join('') : padded;
}

function numberOf(schema: JsonSchema): number {
  const step = numeric(schema.multipleOf) ?? 1;
  const least = numeric(schema.minimum) ?? above(numeric(schema.exclusiveMinimum), step);
  const most = numeric(schema.maximum) ?? above(numeric(schema.exclusiveMaximum), -step);
  const preferred = least ?? (most === undefined ? step : Math.min(step, most));
  return Math.ceil(preferred / step) * step;
}

const numeric = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const above = (bound: number | undefined, step: number): number | undefined =>
  bound === undefined ? undefined : bound + step;
