import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

const ROOT = new URL('../../', import.meta.url).href;
const GLOBALS = 'jest:globals';

const OPTIONS = {
  configFile: false,
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
};

/**
 * Teaches this process to import tests as they are written. What they test comes from the build: `npm test` builds first,
 * and `#libs/…` leads there by package.json. The modules stay loaded for the next test file of the same worker.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
    const url = sourceOf(specifier, context.parentURL);
    return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    if (url === GLOBALS) {
      return { source: 'export const { jest } = globalThis;', format: 'module', shortCircuit: true };
    }
    if (!isOurs(url) || !url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
    return { source: code, format: 'module', shortCircuit: true };
  },
});

const isOurs = (url) => url.startsWith(ROOT) && !/^(node_modules|dist)\//.test(url.slice(ROOT.length));

/** Where a test's relative import of `….js` leads: a file of the tests is TypeScript, any other one is built. */
function sourceOf(specifier, parent) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !parent || !isOurs(parent)) return undefined;
  const path = new URL(specifier, parent).href.slice(ROOT.length);
  if (path.startsWith('test/')) return `${ROOT}${path.replace(/js$/, 'ts')}`;
  return /^(src|libs|local|sandbox|bench)\/|^ormconfig\.js$/.test(path) ? `${ROOT}dist/${path}` : undefined;
}

/** @param path of a TypeScript file, absolute */
export const importTypescript = (path) => import(pathToFileURL(path).href);
