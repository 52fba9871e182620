import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { serveThread } from '#libs/concurrency';

/** Seconds; undefined for a file that is no audio. An error of the parser ends the thread. */
serveThread(async (bytes: Uint8Array): Promise<number | undefined> => {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  if ((await input.getPrimaryAudioTrack()) === null) return undefined;
  // Awaited here: the return disposes the input.
  return await input.computeDuration();
});
