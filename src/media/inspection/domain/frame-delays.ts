/** Browsers show a frame with a shorter delay for 100 ms. */
const SHORTEST_MS = 11;
const DEFAULT_MS = 100;

/** Duration of one pass of an animation, in milliseconds. @param delays of its frames, in milliseconds */
export const durationOfFrames = (delays: readonly number[]): number =>
  delays.reduce((sum, delay) => sum + (delay < SHORTEST_MS ? DEFAULT_MS : delay), 0);
