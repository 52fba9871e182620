import { asList, asObject, asText, invalid, isObject, type Members } from '../provider/problem.js';

const WHERE = 'output_config.format.schema';

/** Bounds that the API refuses, by the type that has them. */
const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['maxItems', 'uniqueItems', 'contains'],
  object: ['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
};
const UNSUPPORTED_ANYWHERE = ['oneOf', 'not', 'if', 'then', 'else'];

/**
 * The part of JSON Schema that structured outputs take.
 * @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 * @throws ProviderRefuses
 */
export function checkOutputSchema(schema: Members): void {
  const { type, properties, items, anyOf, $defs, definitions } = schema;
  for (const name of [type].flat().map(asText)) checkType(name, schema);
  const other = UNSUPPORTED_ANYWHERE.find((keyword) => keyword in schema);
  if (other !== undefined) invalid(`Schema keyword '${other}' is not supported`, WHERE);
  const isUntyped = !['type', 'enum', 'const', 'anyOf', 'allOf', '$ref'].some((name) => name in schema);
  if (isUntyped) invalid('Schema must have a type', WHERE);
  const inner = [properties, $defs, definitions].flatMap((one) => Object.values(asObject(one)));
  for (const one of [...inner, ...asList(anyOf), ...(items === undefined ? [] : [items])]) {
    if (!isObject(one)) invalid('Schema must be an object', WHERE);
    checkOutputSchema(one as Members);
  }
}

function checkType(type: string, schema: Members): void {
  if (type === 'object' && schema.additionalProperties !== false)
    invalid("For 'object' type, 'additionalProperties' must be explicitly set to false", WHERE);
  const bound = (UNSUPPORTED[type] ?? []).find((keyword) => keyword in schema);
  if (bound !== undefined) invalid(`For '${type}' type, property '${bound}' is not supported`, WHERE);
  if (type === 'array' && ![undefined, 0, 1].includes(schema.minItems as number | undefined))
    invalid("For 'array' type, 'minItems' values other than 0 or 1 are not supported", WHERE);
}
