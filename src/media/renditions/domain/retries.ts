/** Two may be the fault of the machine: the kernel ends these processes first when memory is short. */
export const MAX_FAILURES = 3;
/** About an hour of retries: a full disk is repaired by then. */
export const MAX_ERRORS = 20;

const FIRST_PAUSE_S = 30;
const MAX_DOUBLINGS = 7;

/**
 * In SQL, the earliest time of a retry on request: at once the first time, then 30 and 90 seconds after the request before, up to about an
 * hour. No loop of requests has a file that cannot be rendered made again and again.
 */
export const RETRY_AT = `greatest(now(), rendition.awaited_since
     + (power(2, least(rendition.retries, ${MAX_DOUBLINGS})) - 1) * interval '${FIRST_PAUSE_S} seconds')`;
