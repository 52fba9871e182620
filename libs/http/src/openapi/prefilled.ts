import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of a schema (OpenAPI 3.1) that say what a value may be. */
interface Schema {
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

interface Parameter {
  readonly name: string;
  example?: unknown;
  description?: string;
  schema?: { example?: unknown; items?: { example?: unknown } };
}

export interface Prefilled {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
}

/**
 * Swagger UI puts every example of a parameter into its form and sends it. Such a filter finds nothing, and such an id
 * exists nowhere: the example goes into the description, and the form stays empty.
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
 * The body that Swagger UI fills in: what is required, and what else has an example that is right for every caller. Ids,
 * times and parts without an example of their own are left out where they may be.
 */
export function prefillBody({ requestBody }: Prefilled, document: OpenAPIObject): void {
  const json = requestBody?.content['application/json'];
  if (json?.schema && json.example === undefined) json.example = sampleOf(json.schema, document);
}

function sampleOf(schema: Schema, document: OpenAPIObject): unknown {
  if (schema.example !== undefined) return schema.example;
  const { properties, required = [], ...plain } = resolved(schema, document);
  if (!properties) return plainSample(plain, document);
  const sent = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || isRightForAll(field),
  );
  return Object.fromEntries(sent.map(([name, field]) => [name, sampleOf(field, document)]));
}

function isRightForAll({ example, format, items }: Schema): boolean {
  if (example === undefined || example === null) return false;
  return ![format, items?.format].some((one) => one === 'uuid' || one === 'date-time');
}

function resolved(schema: Schema, document: OpenAPIObject): Schema {
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
