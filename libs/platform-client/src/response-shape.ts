import { isUUID } from 'class-validator';

/** Strict parsing: a response of another shape is rejected. */
export class UnexpectedShape extends Error {
  constructor(path: string, expected: string) {
    super(`Expected ${expected} at ${path}.`);
    this.name = 'UnexpectedShape';
  }
}

type Members = Readonly<Record<string, unknown>>;

export function object(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnexpectedShape(path, 'an object');
  return value as Members;
}

export function list<T>(value: unknown, path: string, item: (value: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) throw new UnexpectedShape(path, 'a list');
  return value.map((one, index) => item(one, `${path}[${index}]`));
}

export function text(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw new UnexpectedShape(path, 'text');
  return value;
}

export function textOrEmpty(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new UnexpectedShape(path, 'text');
  return value;
}

/** A whole number from 0. */
export function count(value: unknown, path: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new UnexpectedShape(path, 'a whole number');
  return value as number;
}

export function flag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new UnexpectedShape(path, 'true or false');
  return value;
}

/** In lower case, so that the same id is always the same string. */
export function uuid(value: unknown, path: string): string {
  const id = text(value, path).toLowerCase();
  if (!isUUID(id, 'loose')) throw new UnexpectedShape(path, 'a UUID');
  return id;
}

export function nullable<T>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => T,
): T | null {
  return value === null ? null : read(value, path);
}

export function oneOf<const T extends string>(value: unknown, path: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UnexpectedShape(path, allowed.join(' or '));
  return found;
}

export function instant(value: unknown, path: string): string {
  const at = text(value, path);
  if (Number.isNaN(Date.parse(at))) throw new UnexpectedShape(path, 'an instant');
  return at;
}
