import { CallIsRefused } from '../../wire/response.js';
import { invalidRequest } from './problems.js';

/** What is wrong with a body, in X's words. */
export class BodyIsInvalid extends CallIsRefused {
  constructor(message: string) {
    super(invalidRequest(message), message);
  }
}

export type Check = (value: unknown, path: string) => void;

const ID = /^[0-9]{1,19}$/;

export const text: Check = (value, path) => {
  if (typeof value !== 'string') throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, string expected`);
};

export const flag: Check = (value, path) => {
  if (typeof value !== 'boolean')
    throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, boolean expected`);
};

export const id: Check = (value, path) => {
  text(value, path);
  if (!ID.test(String(value))) {
    throw new BodyIsInvalid(`${path}: does not match the regex pattern ^[0-9]{1,19}$`);
  }
};

export const anything: Check = () => undefined;

export const oneOf =
  (...values: readonly string[]): Check =>
  (value, path) => {
    if (!values.includes(value as string)) {
      throw new BodyIsInvalid(`${path}: does not have a value in the enumeration [${values.join(', ')}]`);
    }
  };

export const listOf =
  (check: Check, min: number, max: number): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, array expected`);
    if (value.length < min)
      throw new BodyIsInvalid(`${path}: there must be a minimum of ${min} items in the array`);
    if (value.length > max)
      throw new BodyIsInvalid(`${path}: there must be a maximum of ${max} items in the array`);
    value.forEach((item, index) => check(item, `${path}[${index}]`));
  };

export const objectOf =
  (members: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, object expected`);
    }
    for (const name of required) {
      if (!(name in value)) throw new BodyIsInvalid(`${path}.${name}: is missing but it is required`);
    }
    for (const [name, member] of Object.entries(value)) {
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (!check) {
        throw new BodyIsInvalid(
          `${path}.${name}: is not defined in the schema and the schema does not allow additional properties`,
        );
      }
      check(member, `${path}.${name}`);
    }
  };

/** A whole number from `min` to `max`. */
export const wholeNumber =
  (min: number, max: number): Check =>
  (value, path) => {
    if (!Number.isInteger(value))
      throw new BodyIsInvalid(`${path}: ${typeOf(value)} found, integer expected`);
    if ((value as number) < min) throw new BodyIsInvalid(`${path}: must have a minimum value of ${min}`);
    if ((value as number) > max) throw new BodyIsInvalid(`${path}: must have a maximum value of ${max}`);
  };

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
