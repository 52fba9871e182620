import { createRequire, setSourceMapsSupport } from 'node:module';
import circus from 'jest-circus/runner';
import { watchLeftovers } from './leftovers.mjs';
import { importTypescript } from './load-typescript.mjs';

const require = createRequire(import.meta.url);

/**
 * Runs one test file with Jest's own framework, in the realm of the worker and on Node's own module registry. By default
 * Jest makes a realm for every file and parses and runs Nest, TypeORM and the product in it again. That took most of the
 * time of the suite. docs/testing.md says what follows for a test file.
 */
export default function runFile(globalConfig, config, environment, _runtime, testPath, send) {
  if (globalConfig.watch || globalConfig.watchAll) {
    throw new Error('Loaded modules stay loaded, so watching would not see changes. Run npm test again.');
  }
  // Jest has put source-map-support here. It reads the maps of Jest's own transforms only.
  delete Error.prepareStackTrace;
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  const { console } = globalThis;
  globalThis.console = environment.global.console;
  globalThis.jest ??= jestObject(environment, config);
  const { handleTestEvent } = environment;
  const realm = { global: globalThis, handleTestEvent: handleTestEvent?.bind(environment) };
  const nothingIsLeft = watchLeftovers();
  return circus
    .default(globalConfig, config, realm, registry, testPath, send)
    .finally(() => {
      globalThis.jest.restoreAllMocks();
      globalThis.jest.useRealTimers();
      globalThis.console = console;
      forgetFramework();
    })
    .then(async (result) => {
      await nothingIsLeft();
      return result;
    });
}

/** The parts of Jest's module registry that jest-circus needs, on Node's registry. */
const registry = {
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  },
  requireModule: require,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: importTypescript,
  setGlobalsForRuntime: () => undefined,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

/** The functions of `jest` that need no module registry of Jest's. */
function jestObject({ moduleMocker, fakeTimersModern }, config) {
  const mocks = new moduleMocker.constructor(globalThis);
  const timers = new fakeTimersModern.constructor({ config, global: globalThis });
  return {
    fn: mocks.fn.bind(mocks),
    spyOn: mocks.spyOn.bind(mocks),
    replaceProperty: mocks.replaceProperty.bind(mocks),
    restoreAllMocks: () => mocks.restoreAllMocks(),
    useFakeTimers: (options) => timers.useFakeTimers(options),
    useRealTimers: () => timers.useRealTimers(),
    setSystemTime: (now) => timers.setSystemTime(now),
    advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
    advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
    runAllTimersAsync: () => timers.runAllTimersAsync(),
  };
}

/** Frees the framework's state, which references the tests and everything they created. */
function forgetFramework() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'].includes(symbol.description)) delete globalThis[symbol];
  }
}
