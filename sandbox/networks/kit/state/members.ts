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

/** A setting of a network: its initial value, and the check of the one that a test chooses. */
interface Setting<T> {
  readonly initial: T;
  readonly check: MemberCheck;
}
export type Settings<S> = { readonly [Name in keyof S]-?: Setting<S[Name]> };
export type SettingsOf<D> = { readonly [Name in keyof D]: D[Name] extends Setting<infer T> ? T : never };

export const setting = <T>(initial: T, check: MemberCheck): Setting<T> => ({ initial, check });
/** One of some words; the first is the initial one. */
export const choice = <const Word extends string>(...words: readonly [Word, ...Word[]]): Setting<Word> =>
  setting(words[0], oneOf(...words));
export const onOff = (initial: boolean): Setting<boolean> => setting(initial, flag);
export const amount = (initial: number, max?: number, min?: number): Setting<number> =>
  setting(initial, count(max, min));
/** Initially null. */
export const optional = (pattern: RegExp, inWords: string): Setting<string | null> =>
  setting<string | null>(null, nullableText(pattern, inWords));

const each = <S extends object, V>(settings: Settings<S>, value: (setting: Setting<unknown>) => V) =>
  Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([name, declared]) => [name, value(declared)]),
  );
export const initialOf = <S extends object>(settings: Settings<S>): S =>
  each(settings, ({ initial }) => initial) as S;
export const checksOf = <S extends object>(settings: Settings<S>): MemberChecks<S> =>
  each(settings, ({ check }) => check) as MemberChecks<S>;

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
