export { BoundedQueue, type Origin, type WaitingLimits } from './bounded-queue.js';
export { concurrently } from './concurrently.js';
export { FairPlaces } from './fair-places.js';
export { KeyedMutex } from './keyed-mutex.js';
export { LimitedThread, type ThreadLimits, type ThreadResult } from './limited-thread.js';
export { runInThread } from './run-in-thread.js';
export { serveThread } from './serve-thread.js';
export { TimeSlices } from './time-slices.js';
export { UsedTime } from './used-time.js';
