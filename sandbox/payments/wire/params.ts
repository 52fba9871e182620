import { parse } from 'qs';
import { invalid, missingParam } from './problems.js';

/** A form with brackets as nested values: `items[0][price]=p` is `{items: [{price: 'p'}]}`. */
type FormValue = string | FormValue[] | FormHash;
interface FormHash {
  readonly [name: string]: FormValue;
}

/** At most six levels. */
const NAME = /^[^[\]]+(?:\[[^[\]]*\]){0,5}$/;

/** @throws PaymentProblem for names that are not balanced or too deep */
export function parseForm(text: string): FormHash {
  for (const name of new URLSearchParams(text).keys())
    if (!NAME.test(name)) throw invalid(`Invalid parameter name: ${name}`, name);
  return parse(text, { arrayLimit: 100, duplicates: 'last', plainObjects: true }) as FormHash;
}

const MAX_METADATA_KEYS = 50;
const MAX_KEY = 40;
const MAX_VALUE = 500;

/** The parameters of one hash. Each is read by its type; unread ones are refused by `done`, as the provider does. */
export class Params {
  private readonly read = new Set<string>();

  constructor(
    private readonly hash: FormHash,
    private readonly path = '',
  ) {}

  has(name: string): boolean {
    return this.hash[name] !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.take(name);
    if (value !== undefined && typeof value !== 'string') throw invalid('Invalid string', this.nameOf(name));
    return value === '' ? undefined : value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw missingParam(this.nameOf(name));
    return value;
  }

  integer(name: string, min = 0): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d{1,12}$/.test(value))
      throw invalid(`Invalid integer: ${value}`, this.nameOf(name), 'parameter_invalid_integer');
    if (Number(value) < min)
      throw invalid(
        `This value must be greater than or equal to ${min}.`,
        this.nameOf(name),
        'parameter_invalid_integer',
      );
    return Number(value);
  }

  flag(name: string): boolean | undefined {
    return this.choice(name, ['true', 'false']) === undefined ? undefined : this.hash[name] === 'true';
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!choices.includes(value as T))
      throw invalid(`Invalid ${this.nameOf(name)}: must be one of ${choices.join(', ')}`, this.nameOf(name));
    return value as T;
  }

  child(name: string): Params | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' || Array.isArray(value)) throw invalid('Invalid object', this.nameOf(name));
    return new Params(value, this.nameOf(name));
  }

  children(name: string): Params[] {
    const value = this.take(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw invalid('Invalid array', this.nameOf(name));
    return value.map((each, index) => {
      const path = `${this.nameOf(name)}[${index}]`;
      if (typeof each === 'string' || Array.isArray(each)) throw invalid('Invalid object', path);
      return new Params(each, path);
    });
  }

  texts(name: string): string[] {
    const value = this.take(name);
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
      throw invalid('Invalid array', this.nameOf(name));
    return value;
  }

  /** An empty value removes its key. */
  metadata(existing: Readonly<Record<string, string>> = {}): Record<string, string> {
    const given = this.take('metadata');
    if (given === undefined) return { ...existing };
    if (typeof given === 'string' || Array.isArray(given))
      throw invalid('Invalid object', this.nameOf('metadata'));
    const merged = new Map(Object.entries(existing));
    for (const [key, value] of Object.entries(given)) {
      if (typeof value !== 'string' || key.length > MAX_KEY || value.length > MAX_VALUE)
        throw invalid(`Invalid metadata: ${key}`, this.nameOf('metadata'));
      if (value === '') merged.delete(key);
      else merged.set(key, value);
    }
    if (merged.size > MAX_METADATA_KEYS)
      throw invalid('You can set up to 50 metadata keys.', this.nameOf('metadata'));
    return Object.fromEntries(merged);
  }

  done(): void {
    const unread = Object.keys(this.hash).find((name) => !this.read.has(name));
    if (unread !== undefined)
      throw invalid(
        `Received unknown parameter: ${this.nameOf(unread)}`,
        this.nameOf(unread),
        'parameter_unknown',
      );
  }

  nameOf(name: string): string {
    return this.path === '' ? name : `${this.path}[${name}]`;
  }

  private take(name: string): FormValue | undefined {
    this.read.add(name);
    return this.hash[name];
  }
}
