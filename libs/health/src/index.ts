export { DatabaseCheck } from './health-checks.js';
export type { HealthCheck } from './probe.js';
export { HealthChecks } from './health-checks.js';
export { CHECK_TIMEOUT_MS } from './probe.js';
export { HealthModule } from './health.module.js';
