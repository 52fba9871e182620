import { PaymentProblem, invalid } from './problems.js';

/** A form with brackets as nested values: `items[0][price]=p` is `{items: [{price: 'p'}]}`. */
export type FormValue = string | FormValue[] | FormHash;
export interface FormHash {
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
