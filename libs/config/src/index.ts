export { Env, variablesOf } from './env.js';
export type { ConfigClass, Variable } from './env.js';
export { EnvironmentModule } from './environment.module.js';
export { ConfigIsInvalid, loadConfig, processEnvironment, provideConfig } from './load-config.js';
export type { Environment } from './load-config.js';
