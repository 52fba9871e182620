import { ControlRequestIsInvalid } from '../../../wire/control-request.js';

/** Checks one member of a control request. @throws ControlRequestIsInvalid */
export type MemberCheck = (value: unknown, name: string) => void;

export type MemberChecks<S> = { readonly [Name in keyof S]-?: MemberCheck };

export const MAX_SECONDS = 366 * 86_400;

function fail(sentence: string): never {
  throw new ControlRequestIsInvalid(sentence);
}

export const oneOf =
  (...values: readonly unknown[]): MemberCheck =>
  (value, name) => {
    if (!values.includes(value)) fail(`${name} is ${values.join(' or ')}.`);
  };

export const flag: MemberCheck = (value, name) => {
  if (typeof value !== 'boolean') fail(`${name} is true or false.`);
};

export const text: MemberCheck = (value, name) => {
  if (typeof value !== 'string') fail(`${name} is a text.`);
};

/** A whole number from `min` to `max`. */
export const count =
  (max: number = MAX_SECONDS, min = 0): MemberCheck =>
  (value, name) => {
    if (!isCount(value, min, max)) fail(`${name} is a whole number from ${min} to ${max}.`);
  };

/** null or a text. */
export const nullableText =
  (pattern: RegExp, inWords: string): MemberCheck =>
  (value, name) => {
    if (value !== null && !(typeof value === 'string' && pattern.test(value)))
      fail(`${name} is null or ${inWords}.`);
  };

export const listOf =
  (check: MemberCheck): MemberCheck =>
  (value, name) => {
    if (!Array.isArray(value)) fail(`${name} is a list.`);
    for (const each of value as unknown[]) check(each, `Each of ${name}`);
  };

/** Limits by route, of the routes that have one. */
export const limitsOf =
  (routes: readonly string[]): MemberCheck =>
  (value, name) => {
    if (typeof value !== 'object' || value === null) fail(`${name} is a JSON object.`);
    for (const [route, limit] of Object.entries(value)) {
      if (!routes.includes(route)) fail(`${route} has no limit; these have: ${routes.join(', ')}.`);
      if (!isCount(limit, 0, 1_000_000)) fail('A limit is a whole number from 0 to 1000000.');
    }
  };

/** The given members after their checks. @throws ControlRequestIsInvalid also for a member without a check */
export function membersOf<S extends object>(
  checks: MemberChecks<S>,
  input: Readonly<Record<string, unknown>>,
  what: string,
): Partial<S> {
  for (const [name, value] of Object.entries(input)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof S] : undefined;
    if (!check) return fail(`${name} is not ${what}.`);
    if (value !== undefined) check(value, name);
  }
  return input as Partial<S>;
}

const isCount = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
