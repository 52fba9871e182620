/** Ids of videos have 11 characters today; Google does not promise it (developers.google.com/youtube/v3/docs/videos). */
const VIDEO_ID = /^[A-Za-z0-9_-]{6,32}$/;
/** `UC` and 22 characters today. */
const CHANNEL_ID = /^[A-Za-z0-9_-]{6,64}$/;

export const isVideoId = (value: string): boolean => VIDEO_ID.test(value);
export const isChannelId = (value: string): boolean => CHANNEL_ID.test(value);
