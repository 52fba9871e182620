/** The rule, code that breaks it, and which selector or term of it where it has several. */
export type BrokenLine = readonly [rule: string, code: string, part?: string];

/** One deliberate violation of each rule that eslint.config.mjs turns on by itself. */
const ours: readonly BrokenLine[] = [
  [
    '@typescript-eslint/consistent-type-imports',
    `import { Shape } from './shape.js';\nexport const a = (s: Shape) => s;`,
  ],
  [
    'no-duplicate-imports',
    `import { basename } from 'node:path';\nimport { join } from 'node:path';\nexport const both = [basename, join];`,
  ],
  [
    '@typescript-eslint/no-floating-promises',
    `const work = () => Promise.resolve(1);\nexport function go() { work(); }`,
  ],
  ['@typescript-eslint/no-misused-promises', `[1].forEach(async () => { await Promise.resolve(); });`],
  [
    '@typescript-eslint/switch-exhaustiveness-check',
    `export function go(state: 'on' | 'off') { switch (state) { case 'on': return 1; } return 2; }`,
  ],
  ['@typescript-eslint/no-unused-vars', `const forgotten = 1;`],
  ['max-lines', `export const a = 1;\n`.repeat(1) + `// line\n`.repeat(310)],
  [
    'max-lines-per-function',
    `export function long(list: number[]) {\n${'  list.push(1);\n'.repeat(45)}  return list;\n}`,
  ],
  ['no-console', `console.log('left behind');`],
  [
    'regexp/no-super-linear-backtracking',
    `export const hasAt = (text: string) => /^[^ ]+@[^ ]+$/.test(text);`,
  ],
  ['no-restricted-properties', `export const url = process.env.DATABASE_URL;`],
  [
    'no-restricted-syntax',
    `export const now = Date.now();`,
    "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  ],
  [
    'no-restricted-syntax',
    `export const now = new Date();`,
    ":matches(NewExpression, CallExpression)[callee.name='Date'][arguments.length=0]",
  ],
  [
    'no-restricted-syntax',
    `export const now = Date();`,
    ":matches(NewExpression, CallExpression)[callee.name='Date'][arguments.length=0]",
  ],
  [
    'no-restricted-syntax',
    `export const a = { b: 1, ...{ c: 2 } };`,
    'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
  ],
  [
    'no-restricted-syntax',
    `export const a = [1, ...[2, 3]];`,
    'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
  ],
  ['no-restricted-globals', `export const a = () => fetch('http://127.0.0.1/');`, 'fetch'],
  ['no-restricted-globals', `export const a = () => globalThis.fetch('http://127.0.0.1/');`, 'fetch'],
  ['no-restricted-globals', `export const a = () => new WebSocket('ws://127.0.0.1/');`, 'WebSocket'],
  ['no-restricted-globals', `export const a = () => new EventSource('http://127.0.0.1/');`, 'EventSource'],
  ['no-warning-comments', `// TODO later\nexport const a = 1;`, 'todo'],
  ['no-warning-comments', `// fixme: later\nexport const a = 1;`, 'fixme'],
  ['no-warning-comments', `// XXX later\nexport const a = 1;`, 'xxx'],
  [
    'unused suppression',
    `// eslint-disable-next-line no-console -- nothing to suppress here\nexport const a = 1;`,
  ],
];

/** Lines that only a domain folder refuses, and the global of each. */
export const impureLines: readonly BrokenLine[] = [
  ['no-restricted-properties', `export const a = Math.random();`],
  ['no-restricted-properties', `const { random } = Math;\nexport const a = random();`],
  ['no-restricted-globals', `export const a = crypto.randomUUID();`, 'crypto'],
  ['no-restricted-globals', `export const a = performance.now();`, 'performance'],
  ['no-restricted-globals', `export const a = () => fetch('http://127.0.0.1/');`, 'fetch'],
  ['no-restricted-globals', `export const a = globalThis.performance.now();`, 'globalThis'],
  ['no-restricted-globals', `export const a = global.performance.now();`, 'global'],
  ['no-restricted-globals', `export const a = process.hrtime.bigint();`, 'process'],
  ['no-restricted-globals', `console.log('left behind');`, 'console'],
  ['no-restricted-globals', `export const a = (work: () => void) => setTimeout(work, 1);`, 'setTimeout'],
  ['no-restricted-globals', `export const a = (work: () => void) => setInterval(work, 1);`, 'setInterval'],
  ['no-restricted-globals', `export const a = (work: () => void) => setImmediate(work);`, 'setImmediate'],
  ['no-restricted-globals', `export const a = (work: () => void) => queueMicrotask(work);`, 'queueMicrotask'],
  ['no-restricted-globals', `export const a = (id: NodeJS.Timeout) => clearTimeout(id);`, 'clearTimeout'],
  ['no-restricted-globals', `export const a = (id: NodeJS.Timeout) => clearInterval(id);`, 'clearInterval'],
  [
    'no-restricted-globals',
    `export const a = (id: NodeJS.Immediate) => clearImmediate(id);`,
    'clearImmediate',
  ],
  ['no-restricted-syntax', `export const a = Date.now();`],
  ['no-restricted-syntax', `export const a = new Date();`],
];

/** One of each rule that comes with typescript-eslint's recommended set. */
const recommended: readonly BrokenLine[] = [
  ['no-var', `export var a = 1;`],
  ['prefer-const', `let a = 1;\nexport const b = a;`],
  ['prefer-rest-params', `export function f() { return arguments; }`],
  ['prefer-spread', `export const f = (g: (...n: number[]) => void, n: number[]) => g.apply(undefined, n);`],
  ['@typescript-eslint/await-thenable', `export async function f() { await 1; }`],
  ['@typescript-eslint/ban-ts-comment', `// @ts-ignore\nexport const a = 1;`],
  ['@typescript-eslint/no-array-constructor', `export const a = new Array(1, 2);`],
  ['@typescript-eslint/no-array-delete', `export function f(a: number[]) { delete a[0]; }`],
  ['@typescript-eslint/no-base-to-string', `export const f = (a: { b: number }) => a.toString();`],
  ['@typescript-eslint/no-duplicate-enum-values', `export enum A { B = 1, C = 1 }`],
  ['@typescript-eslint/no-duplicate-type-constituents', `export type A = 'a' | 'a';`],
  ['@typescript-eslint/no-empty-object-type', `export interface A {}`],
  ['@typescript-eslint/no-explicit-any', `export const f = (a: any) => a as unknown;`],
  ['@typescript-eslint/no-extra-non-null-assertion', `export const f = (a?: string) => a!!.length;`],
  [
    '@typescript-eslint/no-for-in-array',
    `export function f(a: number[]) { for (const index in a) void index; }`,
  ],
  ['@typescript-eslint/no-implied-eval', `setTimeout('f()', 1);`],
  ['@typescript-eslint/no-misused-new', `export interface A { new (): A; }`],
  ['@typescript-eslint/no-namespace', `export namespace A { export const b = 1; }`],
  [
    '@typescript-eslint/no-non-null-asserted-optional-chain',
    `export const f = (a?: { b?: string }) => a?.b!;`,
  ],
  ['@typescript-eslint/no-redundant-type-constituents', `export type A = unknown | string;`],
  ['@typescript-eslint/no-require-imports', `export const a = require('node:fs') as unknown;`],
  ['@typescript-eslint/no-this-alias', `export class A { b() { const self = this; return () => self; } }`],
  ['@typescript-eslint/no-unnecessary-type-assertion', `export const f = (a: string) => a as string;`],
  ['@typescript-eslint/no-unnecessary-type-constraint', `export const f = <T extends unknown>(a: T) => a;`],
  [
    '@typescript-eslint/no-unsafe-argument',
    `export const f = (g: (n: number) => void) => g(JSON.parse('1'));`,
  ],
  [
    '@typescript-eslint/no-unsafe-assignment',
    `export function f() { const a = JSON.parse('1'); return String(a); }`,
  ],
  ['@typescript-eslint/no-unsafe-call', `export function f() { JSON.parse('1')(); }`],
  ['@typescript-eslint/no-unsafe-declaration-merging', `export interface A { b: number }\nexport class A {}`],
  [
    '@typescript-eslint/no-unsafe-enum-comparison',
    `export enum A { B }\nexport const f = (a: A) => a === 0;`,
  ],
  ['@typescript-eslint/no-unsafe-function-type', `export const f = (g: Function) => g;`],
  ['@typescript-eslint/no-unsafe-member-access', `export const f = () => JSON.parse('1').b as unknown;`],
  ['@typescript-eslint/no-unsafe-return', `export const f = () => JSON.parse('1');`],
  ['@typescript-eslint/no-unsafe-unary-minus', `export const f = (a: string) => -a;`],
  ['@typescript-eslint/no-unused-expressions', `export function f(a: number) { a + 1; }`],
  ['@typescript-eslint/no-wrapper-object-types', `export const f = (a: String) => a;`],
  ['@typescript-eslint/only-throw-error', `export function f() { throw 'x'; }`],
  ['@typescript-eslint/prefer-as-const', `export const a: 'b' = 'b';`],
  ['@typescript-eslint/prefer-namespace-keyword', `declare module A {}`],
  ['@typescript-eslint/prefer-promise-reject-errors', `export const f = () => Promise.reject('x');`],
  ['@typescript-eslint/require-await', `export async function f() { return 1; }`],
  ['@typescript-eslint/restrict-plus-operands', `export const f = (a: bigint, b: number) => a + b;`],
  ['@typescript-eslint/restrict-template-expressions', 'export const f = (a: object) => `${a}`;'],
  ['@typescript-eslint/triple-slash-reference', `/// <reference path="./shape.ts" />\nexport const a = 1;`],
  [
    '@typescript-eslint/unbound-method',
    `export class A { b() { return this; } }\nexport const f = new A().b;`,
  ],
];

export const brokenLines: readonly BrokenLine[] = [...ours, ...recommended];
