import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { heardIn, secondsOf } from './tones.js';
import { isWav, readWav } from './wav.js';

export interface Heard {
  readonly text: string;
  readonly seconds: number;
}

/**
 * What is said in an audio file. Tones of a WAV file are words; of other formats only the duration is known.
 * Undefined for a file that is no audio or not whole.
 */
export async function transcribed(bytes: Buffer): Promise<Heard | undefined> {
  if (isWav(bytes)) {
    const sound = readWav(bytes);
    return sound && { text: heardIn(sound), seconds: secondsOf(sound) };
  }
  const input = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS });
  try {
    if ((await input.getPrimaryAudioTrack()) === null) return undefined;
    const seconds = await input.computeDuration();
    return { text: `[audio of ${seconds.toFixed(1)} seconds]`, seconds };
  } catch {
    return undefined;
  } finally {
    input.dispose();
  }
}
