export { backoffMs, CLAIM_END, CLAIM_LEASE_MS, ClaimIsLost, whileRenewed } from './claim.js';
export {
  ClaimingWorker,
  type ClaimRequest,
  type Handling,
  IsStopping,
  type Lane,
} from './claiming-worker.js';
export { DueWorkModule } from './due-work.module.js';
export { type Fence, type HeldLeases, type Lease, Leases } from './leases.js';
export { dueWorkMigrations } from './migrations/index.js';
export { PeriodicSweep } from './periodic-sweep.js';
