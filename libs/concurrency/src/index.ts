export { type BatchLimits, BatchWriter } from './batch-writer.js';
export { BoundedQueue, type Origin, type WaitingLimits } from './bounded-queue.js';
export { concurrently } from './concurrently.js';
export { ExpiringMap } from './expiring-map.js';
export { FairPlaces } from './fair-places.js';
export { KeyedMutex } from './keyed-mutex.js';
export {
  LimitedThread,
  runInThread,
  serveThread,
  type ThreadLimits,
  type ThreadResult,
} from './limited-thread.js';
export { TimeSlices } from './time-slices.js';
export { UsedTime } from './used-time.js';
export { within } from './within.js';
