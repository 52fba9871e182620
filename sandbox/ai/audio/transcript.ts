import type { ThreadLimits } from '#libs/concurrency';
import { parsedInThread } from '../../parsing.js';
import { heardIn, secondsOf } from './tones.js';
import { isWav, readWav } from './wav.js';

const DURATION = new URL('./duration-thread.js', import.meta.url);

export interface Heard {
  readonly text: string;
  readonly seconds: number;
}

/**
 * What is said in an audio file. Tones of a WAV file are words; of other formats only the duration is known.
 * Undefined for a file that is no audio or not whole.
 */
export async function transcribed(bytes: Buffer, limits?: ThreadLimits): Promise<Heard | undefined> {
  if (isWav(bytes)) {
    const sound = readWav(bytes);
    return sound && { text: heardIn(sound), seconds: secondsOf(sound) };
  }
  const seconds = await parsedInThread<number>(DURATION, bytes, limits);
  return seconds === undefined ? undefined : { text: `[audio of ${seconds.toFixed(1)} seconds]`, seconds };
}
