export { BoundedQueue } from './bounded-queue.js';
export type { Origin, WaitingLimits } from './bounded-queue.js';
export { concurrently } from './concurrently.js';
export { KeyedMutex } from './keyed-mutex.js';
