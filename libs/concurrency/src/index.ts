export { BoundedQueue } from './bounded-queue.js';
export type { Origin, WaitingLimits } from './bounded-queue.js';
export { concurrently } from './concurrently.js';
export { FairPlaces } from './fair-places.js';
export { KeyedMutex } from './keyed-mutex.js';
export { LimitedThread } from './limited-thread.js';
export type { ThreadLimits, ThreadResult } from './limited-thread.js';
export { runInThread } from './run-in-thread.js';
export { serveThread } from './serve-thread.js';
