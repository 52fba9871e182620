import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Buffers that nothing refers to any more. V8 counts them, but lets them grow to hundreds of megabytes before it frees them. */
const COLLECT_AFTER_BYTES = 8 * 1024 * 1024;

/**
 * Keeps the memory of a stream flat: frees what was read. A collection of the small heap of a child process takes about 3 ms.
 * @returns to be called with the size of each packet
 */
export function garbageCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let since = 0;
  return (bytes) => {
    since += bytes;
    if (since < COLLECT_AFTER_BYTES) return;
    since = 0;
    collect();
  };
}
