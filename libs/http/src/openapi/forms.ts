import type { OpenAPIObject } from '@nestjs/swagger';
import { type Body, isId, type Parameter, type Prefilled, resolved, type Schema } from './prefilled.js';

/**
 * Values that exist in one installation, by their places: a name of a header, of a query parameter or of a field of a body, or the
 * part of a path that ends with a parameter, such as `/api/contacts/{id}`.
 */
export type FormValues = Readonly<Record<string, string>>;

/**
 * The document for Swagger UI's forms, with the values of this installation. Empties bodies with a required field that differs by
 * caller and has no value: an id, or a secret without an example. The served document keeps examples that match their schemas.
 */
export function formsOf(document: OpenAPIObject, values: FormValues): OpenAPIObject {
  const copy = structuredClone(document);
  for (const [path, methods] of Object.entries(copy.paths))
    for (const operation of Object.values(methods) as Prefilled[]) {
      const { parameters, requestBody } = operation;
      // Of one operation each, because the value of a shared one depends on the path.
      operation.parameters = parameters?.map((one) => ({ ...resolvedParameter(one, document) }));
      for (const parameter of operation.parameters ?? []) fillParameter(parameter, path, values);
      const json = requestBody?.content['application/json'];
      if (json) fillBody(json, document, values);
      const form = requestBody?.content['multipart/form-data'];
      if (form?.schema) emptyObjects(resolved(form.schema, copy));
    }
  return copy;
}

function resolvedParameter(parameter: Parameter, { components }: OpenAPIObject): Parameter {
  const named = parameter.$ref?.split('/').at(-1);
  return named === undefined ? parameter : (components?.parameters?.[named] as Parameter);
}

/** Optional filters stay empty. */
function fillParameter(parameter: Parameter, path: string, values: FormValues): void {
  const { name, in: location, required } = parameter;
  if (location === 'query' && !required) return;
  const end = `{${name}}`;
  const place = location === 'path' ? path.slice(0, path.indexOf(end) + end.length) : name;
  if (values[place] !== undefined) parameter.example = values[place];
}

function fillBody(json: Body, document: OpenAPIObject, values: FormValues): void {
  if (!json.schema) return;
  const { properties = {} } = resolved(json.schema, document);
  const ids = Object.keys(properties).filter((name) => isId(properties[name] ?? {}) && name in values);
  const known = Object.fromEntries(ids.map((name) => [name, values[name]]));
  const isFilled = canFillRequiredFields(json.schema, document, known);
  json.example = isFilled ? withFields(json.example, known) : {};
}

const withFields = (example: unknown, fields: object): unknown =>
  Object.keys(fields).length === 0 ? example : { ...(example as object), ...fields };

/** Swagger UI sends `additionalProp1` for an object without an example; a text field starts empty and is not sent. */
function emptyObjects({ properties = {} }: Schema): void {
  for (const [name, field] of Object.entries(properties))
    if (field.type === 'object' && field.example === undefined)
      Object.assign(properties, { [name]: { ...field, type: 'string', additionalProperties: undefined } });
}

function canFillRequiredFields(schema: Schema, document: OpenAPIObject, known: object = {}): boolean {
  const { properties = {}, required = [] } = resolved(schema, document);
  return required.every((name) => name in known || canFillForEveryCaller(properties[name] ?? {}, document));
}

/** Includes times: their examples are years ahead. */
function canFillForEveryCaller(field: Schema, document: OpenAPIObject): boolean {
  if (isId(field)) return false;
  const whole = { ...resolved(field, document), ...field };
  const { example, default: usual, enum: choices, items, properties } = whole;
  if ([example, usual, choices].some((one) => one !== undefined)) return true;
  if (properties) return canFillRequiredFields(field, document);
  return items !== undefined && canFillForEveryCaller(items, document);
}
