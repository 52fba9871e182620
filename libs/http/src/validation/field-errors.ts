import type { ValidationError } from 'class-validator';
import type { FieldError } from '#libs/errors';

/** Codes of constraints that differ from the constraint's name. */
const CODES: Readonly<Record<string, string>> = {
  whitelistValidation: 'unknown_field',
  isDefined: 'required',
  isNotEmpty: 'required',
  minLength: 'too_short',
  maxLength: 'too_long',
  arrayMaxSize: 'too_many',
  arrayMinSize: 'too_few',
  min: 'too_small',
  max: 'too_large',
  isIn: 'not_allowed',
  isEnum: 'not_allowed',
  isUuid: 'not_an_id',
};

/** Type rules come first: the others say little about a value of the wrong type. */
const TYPES = new Set(['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject']);
const rank = (rule: string): number => (TYPES.has(rule) ? 0 : 1);

/** Maximum number of errors in one response. */
export const MAX_ERRORS = 20;

/** Maximum characters of a repeated name: callers can send names as long as a body. */
const MAX_NAME = 100;

type Place = (path: readonly string[]) => Pick<FieldError, 'pointer' | 'parameter' | 'header'>;

/** RFC 6901, as a URI fragment. */
export const inBody: Place = (path) => ({
  pointer: `#${path.map((part) => `/${encodeURIComponent(shortened(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`,
});
export const inQuery: Place = (path) => ({ parameter: path.map(shortened).join('.') });

export function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name;
}

/** Flattens class-validator's tree, up to `MAX_ERRORS`. A rule may name its own code with `context: { code }`. */
export function fieldErrors(errors: readonly ValidationError[], place: Place): FieldError[] {
  return flattened(errors, place, []).take(MAX_ERRORS).toArray();
}

function* flattened(
  errors: readonly ValidationError[],
  place: Place,
  parents: readonly string[],
): Generator<FieldError, undefined> {
  for (const error of errors) {
    // Without a property, the whole value matches no rule.
    const path = [
      ...parents,
      ...((error.property as string | undefined) === undefined ? [] : [error.property]),
    ];
    yield* ownErrors(error, place, path);
    yield* flattened(error.children ?? [], place, path);
  }
}

function ownErrors(error: ValidationError, place: Place, path: readonly string[]): FieldError[] {
  const broken = Object.entries(error.constraints ?? {}).sort(([a], [b]) => rank(a) - rank(b));
  if (broken.length > 0 && error.value === undefined && !error.constraints?.whitelistValidation) {
    return [{ ...place(path), code: 'required', detail: 'is required' }];
  }
  return broken.map(([rule, message]) => ({
    ...place(path),
    code: codeOf(rule, error.contexts?.[rule] as { code?: string } | undefined),
    detail:
      rule === 'whitelistValidation'
        ? 'is not a field of this request'
        : withoutProperty(message, error.property),
  }));
}

function codeOf(rule: string, context: { code?: string } | undefined): string {
  return (
    context?.code ??
    CODES[rule] ??
    rule.replace(/^is(?=[A-Z])/, 'not').replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
  );
}

/** Removes the property's name, which the pointer contains, from class-validator's message. */
function withoutProperty(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}
