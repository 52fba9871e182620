export { DatabaseCheck, HealthChecks } from './health-checks.js';
export { CHECK_TIMEOUT_MS, type HealthCheck } from './probe.js';
export { HealthModule } from './health.module.js';
