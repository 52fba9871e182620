export { DueLoop } from './due-loop.js';
export { DueWorkModule } from './due-work.module.js';
export { Leases } from './leases.js';
export type { Fence, HeldLeases, Lease } from './leases.js';
export { dueWorkMigrations } from './migrations/index.js';
export { PeriodicSweep } from './periodic-sweep.js';
