/** One deliberate violation of each rule of eslint.config.mjs that is ours: the rule and code that breaks it. */
export const brokenLines: readonly (readonly [rule: string, code: string])[] = [
  [
    '@typescript-eslint/consistent-type-imports',
    `import { Shape } from './shape.js';\nexport const a = (s: Shape) => s;`,
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
  ['max-lines', `export const a = 1;\n`.repeat(1) + `// line\n`.repeat(260)],
  [
    'max-lines-per-function',
    `export function long(list: number[]) {\n${'  list.push(1);\n'.repeat(45)}  return list;\n}`,
  ],
  ['no-console', `console.log('left behind');`],
  ['no-restricted-properties', `export const url = process.env.DATABASE_URL;`],
  ['no-restricted-syntax', `export const now = Date.now();`],
  ['no-restricted-syntax', `export const now = new Date();`],
  ['no-warning-comments', `// TODO later\nexport const a = 1;`],
  [
    'unused suppression',
    `// eslint-disable-next-line no-console -- nothing to suppress here\nexport const a = 1;`,
  ],
];
