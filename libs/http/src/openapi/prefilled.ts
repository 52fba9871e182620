import type { OpenAPIObject } from '@nestjs/swagger';

/** The used parts of a schema (OpenAPI 3.1). */
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

const UUID_FIRST = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

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
 * times and fields without an example. Swagger UI fills it in, but see `emptyBodies`.
 */
export function prefillBody({ requestBody }: Prefilled, document: OpenAPIObject): void {
  const json = requestBody?.content['application/json'];
  if (json?.schema && json.example === undefined) json.example = sampleOf(json.schema, document);
}

/**
 * The document for Swagger UI's forms. Empties bodies with a required field that differs by caller: an id, or a secret
 * without an example. The served document keeps examples that match their schemas.
 */
export function emptyBodies(document: OpenAPIObject): OpenAPIObject {
  const copy = structuredClone(document);
  const operations = Object.values(copy.paths).flatMap((methods) => Object.values(methods) as Prefilled[]);
  for (const { requestBody } of operations) {
    const json = requestBody?.content['application/json'];
    if (json?.schema && !canFillRequiredFields(json.schema, document)) json.example = {};
    const form = requestBody?.content['multipart/form-data'];
    if (form?.schema) emptyObjects(resolved(form.schema, copy));
  }
  return copy;
}

/** Swagger UI sends `additionalProp1` for an object without an example; a text field starts empty and is not sent. */
function emptyObjects({ properties = {} }: Schema): void {
  for (const [name, field] of Object.entries(properties))
    if (field.type === 'object' && field.example === undefined)
      Object.assign(properties, { [name]: { ...field, type: 'string', additionalProperties: undefined } });
}

function canFillRequiredFields(schema: Schema, document: OpenAPIObject): boolean {
  const { properties = {}, required = [] } = resolved(schema, document);
  return required.every((name) => canFillForEveryCaller(properties[name] ?? {}, document));
}

/** Includes times: their examples are years ahead. */
function canFillForEveryCaller(field: Schema, document: OpenAPIObject): boolean {
  if (isId(field)) return false;
  const {
    example,
    default: usual,
    enum: choices,
    items,
    properties,
  } = { ...resolved(field, document), ...field };
  if ([example, usual, choices].some((one) => one !== undefined)) return true;
  if (properties) return canFillRequiredFields(field, document);
  return items !== undefined && canFillForEveryCaller(items, document);
}

/** Ids of one installation: also the names that begin with one, such as those of permissions. */
const isId = ({ format, items, example }: Schema): boolean =>
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
