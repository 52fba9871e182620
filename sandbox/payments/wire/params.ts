import { invalid, missingParam, PaymentProblem } from './problems.js';

/** A form with brackets as nested values: `items[0][price]=p` is `{items: [{price: 'p'}]}`. */
type FormValue = string | FormValue[] | FormHash;
interface FormHash {
  readonly [name: string]: FormValue;
}

const MAX_DEPTH = 6;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const MAX_INDEX = 100;

interface Branch {
  readonly members: Map<string, Branch | string>;
}

/** @throws PaymentProblem for names that are not balanced, too deep, or both a value and a hash */
export function parseForm(text: string): FormHash {
  const root: Branch = { members: new Map() };
  for (const [name, value] of new URLSearchParams(text)) place(root, pathOf(name), value, name);
  return hashOf(root);
}

function pathOf(name: string): string[] {
  const [, first, rest = ''] = NAME.exec(name) ?? [];
  if (first === undefined) throw invalid(`Invalid parameter name: ${name}`, name);
  const path = [
    first,
    ...rest
      .split('[')
      .slice(1)
      .map((part) => part.slice(0, -1)),
  ];
  if (path.length > MAX_DEPTH) throw invalid(`Too many levels: ${name}`, name);
  return path;
}

function place(root: Branch, path: readonly string[], value: string, name: string): void {
  let branch = root;
  for (const [depth, part] of path.entries()) {
    const key = part === '' ? String(branch.members.size) : part;
    if (depth === path.length - 1) {
      branch.members.set(key, value);
      return;
    }
    const next = branch.members.get(key) ?? { members: new Map<string, Branch | string>() };
    if (typeof next === 'string')
      throw new PaymentProblem(400, 'invalid_request_error', `Invalid hash: ${name}`, { param: name });
    branch.members.set(key, next);
    branch = next;
  }
}

function hashOf(branch: Branch): FormHash {
  return Object.fromEntries([...branch.members].map(([key, value]) => [key, valueOf(value)]));
}

function valueOf(value: Branch | string): FormValue {
  if (typeof value === 'string') return value;
  const keys = [...value.members.keys()];
  const isList = keys.length > 0 && keys.every((key) => /^\d{1,3}$/.test(key) && Number(key) < MAX_INDEX);
  return isList ? [...value.members.values()].map(valueOf) : hashOf(value);
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
