import { Ajv2020 } from 'ajv/dist/2020.js';
import { json } from '../../providers/wires/values.js';

export interface SchemaCheck {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Regular expressions of callers are not run. Providers do not enforce these either. */
const NOT_CHECKED = ['pattern', 'patternProperties', 'format'];

/**
 * Whether a text is JSON that fits a schema (draft 2020-12, whatever draft it names). A schema that is not readable, or that refers to
 * another document, asks only that the text is JSON. A small schema can take exponential time.
 */
export function fitsSchema({ schema, text }: SchemaCheck): boolean {
  const value = json(text);
  if (value === undefined) return false;
  try {
    return validate(schema, value);
  } catch {
    return true;
  }
}

/** Without `$async`, which gives a promise; in a part of the schema it is an error. */
function validate({ $schema: _, $async: __, ...schema }: SchemaCheck['schema'], value: unknown): boolean {
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    inlineRefs: false,
    ownProperties: true,
    logger: false,
  });
  for (const keyword of NOT_CHECKED) ajv.removeKeyword(keyword);
  return ajv.compile(schema)(value);
}
