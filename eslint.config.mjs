import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';

/** A pure function depends on its parameters alone: dependency-cruiser checks what it imports, this list what it calls without import. */
const IMPURE_GLOBALS = [
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'fetch',
  'global',
  'globalThis',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
];

/** Clients of the network that need no import. */
const GLOBAL_CLIENTS = ['fetch', 'EventSource', 'WebSocket'];

/** The lint rules. dependency-cruiser checks imports. */
export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.data', 'docs', '**/*.mjs', '**/*.cjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  prettier,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { regexp },
    rules: {
      // One request with a long text stops a process for hours.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': [
        'error',
        { max: 40, skipBlankLines: true, skipComments: true, IIFEs: false },
      ],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the environment once, with loadConfig of #libs/config.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'Pass the time as a parameter, or read it from the Clock of #libs/clock.',
        },
        {
          selector: ":matches(NewExpression, CallExpression)[callee.name='Date'][arguments.length=0]",
          message: 'Pass the time as a parameter, or read it from the Clock of #libs/clock.',
        },
        {
          selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the members directly instead of spreading a literal.',
        },
      ],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          globals: GLOBAL_CLIENTS.map((name) => ({
            name,
            message: 'Call with OutboundHttp of #libs/outbound-http, addresses of users with PublicFetch.',
          })),
          checkGlobalObject: true,
        },
      ],
    },
  },
  {
    files: ['src/**/domain/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...IMPURE_GLOBALS.map((name) => ({
          name,
          message: 'Pass the value to the pure function as a parameter.',
        })),
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'Math',
          property: 'random',
          message: 'Pass the value to the pure function as a parameter.',
        },
      ],
    },
  },
  {
    files: ['libs/config/src/**', 'libs/clock/src/**'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/*-spec.ts', 'test/**', 'bench/**', 'libs/*/src/testing/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': 'off',
      'no-console': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
