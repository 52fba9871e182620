import type { OpenAPIObject } from '@nestjs/swagger';

/** The used parts of a schema (OpenAPI 3.1). */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const UUID_FIRST = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  example?: unknown;
  description?: string;
  schema?: { example?: unknown; items?: { example?: unknown } };
}

export interface Body {
  readonly schema?: Schema;
  example?: unknown;
}

export interface Prefilled {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Body> };
}

/**
 * Moves the examples of parameters into their descriptions. Swagger UI would fill them into its form and send them, but
 * such a filter finds nothing and such an id does not exist.
 */
export function describeExamples({ parameters = [] }: Prefilled): void {
  for (const parameter of parameters) {
    const { schema } = parameter;
    const example = parameter.example ?? schema?.example ?? schema?.items?.example;
    delete parameter.example;
    delete schema?.example;
    delete schema?.items?.example;
    if (typeof example !== 'string' && typeof example !== 'number') continue;
    parameter.description = `${parameter.description ?? ''} For example \`${example}\`.`.trimStart();
  }
}

/**
 * Sets the example of a body: required fields and optional ones whose example is valid for every caller. Omits optional ids,
 * times and fields without an example. Swagger UI fills it in, but see `formsOf`.
 */
export function prefillBody({ requestBody }: Prefilled, document: OpenAPIObject): void {
  const json = requestBody?.content['application/json'];
  if (json?.schema && json.example === undefined) json.example = sampleOf(json.schema, document);
}

/** Ids of one installation: also the names that begin with one, such as those of permissions. */
export const isId = ({ format, items, example }: Schema): boolean =>
  format === 'uuid' || items?.format === 'uuid' || (typeof example === 'string' && UUID_FIRST.test(example));

function sampleOf(schema: Schema, document: OpenAPIObject): unknown {
  if (schema.example !== undefined) return schema.example;
  const { properties, required = [], ...plain } = resolved(schema, document);
  if (!properties) return plainSample(plain, document);
  const sent = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || isFilledWhenOptional(field),
  );
  return Object.fromEntries(sent.map(([name, field]) => [name, sampleOf(field, document)]));
}

/** Whether an optional field has an example that is valid for every caller at any time. */
function isFilledWhenOptional(field: Schema): boolean {
  if (field.example === undefined || field.example === null || isId(field)) return false;
  return ![field.format, field.items?.format].includes('date-time');
}

export function resolved(schema: Schema, document: OpenAPIObject): Schema {
  const named = (schema.$ref ?? schema.allOf?.[0]?.$ref)?.split('/').at(-1);
  return named === undefined ? schema : (document.components?.schemas?.[named] as Schema);
}

function plainSample({ type, enum: choices, items, ...rest }: Schema, document: OpenAPIObject): unknown {
  if (rest.default !== undefined || rest.example !== undefined) return rest.default ?? rest.example;
  if (choices) return choices[0];
  switch ([type].flat()[0]) {
    case 'array':
      return items ? [sampleOf(items, document)] : [];
    case 'integer':
    case 'number':
      return rest.minimum ?? 0;
    case 'boolean':
      return false;
    case 'object':
      return {};
    default:
      return rest.format === 'email' ? 'ada@example.com' : 'string'.padEnd(rest.minLength ?? 0, '.');
  }
}
