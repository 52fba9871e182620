/** The code of the failure, and the reason of the hold, when a file cannot be read at the moment. */
export const MEDIA_UNREADABLE = 'media_unreadable';

/** The code of the failure when a file no longer exists. */
export const MEDIA_MISSING = 'media_missing';
