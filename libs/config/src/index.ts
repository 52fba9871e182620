export {
  allVariablesOf,
  type ConfigClass,
  configsOf,
  Env,
  FromConfig,
  type Variable,
  variablesOf,
} from './env.js';
export { DeploymentConfig } from './deployment.config.js';
export { HasDistinctIds } from './has-distinct-ids.js';
export { IsBaseUrl } from './is-base-url.js';
export {
  ConfigIsInvalid,
  type Environment,
  EnvironmentModule,
  isProduction,
  isSet,
  loadAll,
  loadConfig,
  processEnvironment,
  provideConfig,
  requireInProduction,
} from './load-config.js';
export { unreadVariables } from './unread-variables.js';
