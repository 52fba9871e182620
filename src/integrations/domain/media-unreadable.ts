/** The code of the failure, and the reason of the hold, when a file cannot be read at the moment. */
export const MEDIA_UNREADABLE = 'media_unreadable';

/** The code of the failure when a file no longer exists. */
export const MEDIA_MISSING = 'media_missing';

/** The code of the failure when the network could not fetch a file, whatever the cause. */
export const MEDIA_NOT_FETCHED = 'media_not_fetched';

/** The remedy: an interruption may have caused it, so the file is fetched again before the refusal is final. */
export const FETCH_AGAIN = { kind: 'wait', milliseconds: 5_000 } as const;
