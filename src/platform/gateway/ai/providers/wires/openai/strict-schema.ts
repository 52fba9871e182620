import { isRecord, list } from '../values.js';

const MAX_DEPTH = 32;

/**
 * Whether OpenAI accepts the schema with `strict: true`: each object lists all its properties as required and allows no others
 * (developers.openai.com, guides/structured-outputs). It refuses other schemas in strict mode; without, they only guide the model.
 */
export function isStrictSchema(schema: unknown, depth = 0): boolean {
  if (!isRecord(schema) || depth > MAX_DEPTH) return false;
  const { properties, items, anyOf, $defs, required } = schema;
  const isObject = schema.type === 'object' || properties !== undefined;
  if (isObject && !hasOnlyRequired(properties, required, schema.additionalProperties)) return false;
  if ('allOf' in schema || 'oneOf' in schema || 'not' in schema || 'patternProperties' in schema)
    return false;
  const inner = [
    ...Object.values(isRecord(properties) ? properties : {}),
    ...Object.values(isRecord($defs) ? $defs : {}),
    ...list(anyOf),
    ...(items === undefined ? [] : [items]),
  ];
  return inner.every((one) => isStrictSchema(one, depth + 1));
}

const hasOnlyRequired = (properties: unknown, required: unknown, additional: unknown) =>
  additional === false &&
  isRecord(properties) &&
  Object.keys(properties).every((name) => list(required).includes(name));
