import { createContext, Script } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { json } from '../../ai-providers/wires/values.js';

/** A schema comes from a caller: a small one can take exponential time. Usual ones take some milliseconds. */
const MAX_MS = 250;

/** Regular expressions of callers are not run. Providers do not enforce these either. */
const NOT_CHECKED = ['pattern', 'patternProperties', 'format'];

/**
 * Whether a text is JSON that fits a schema (draft 2020-12, whatever draft it names). A schema that is not readable, that refers to another
 * document, or whose check takes longer than `MAX_MS` asks only that the text is JSON.
 */
export function fitsSchema(schema: Readonly<Record<string, unknown>>, source: string): boolean {
  const value = json(source);
  if (value === undefined) return false;
  try {
    return inTime(() => validate(schema, value));
  } catch {
    return true;
  }
}

/** Without `$async`, which gives a promise; in a part of the schema it is an error. */
function validate(
  { $schema: _, $async: __, ...schema }: Readonly<Record<string, unknown>>,
  value: unknown,
): boolean {
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

const timed: { work: () => unknown } = createContext({ work: () => undefined }) as typeof timed;
const RUN = new Script('work()');

/** Ends synchronous work at any point, by the time limit of V8. @throws Error after `MAX_MS` */
function inTime<T>(work: () => T): T {
  timed.work = work;
  try {
    return RUN.runInContext(timed, { timeout: MAX_MS }) as T;
  } finally {
    timed.work = () => undefined;
  }
}
