import type { ThreadLimits } from '#libs/concurrency';
import { parsedInThread } from '../../parsing.js';
import { isWav, readWav, type Sound } from './wav.js';

/** Words that a tone stands for: the first is 400 Hz, each next one 40 Hz higher. */
export const WORDS = [
  'good',
  'morning',
  'we',
  'publish',
  'three',
  'posts',
  'today',
  'please',
  'approve',
  'the',
  'second',
  'one',
  'before',
  'noon',
  'thank',
  'you',
] as const;

const LOWEST_HZ = 400;
const STEP_HZ = 40;
const SECONDS_PER_WORD = 0.25;
/** Silence between two words, so that a word can be said twice. */
const PAUSE_SECONDS = 0.05;
const WINDOW_SECONDS = 0.05;
const RATE = 16_000;

const frequencyOf = (word: string): number | undefined => {
  const index = (WORDS as readonly string[]).indexOf(word);
  return index < 0 ? undefined : LOWEST_HZ + index * STEP_HZ;
};

/** The sound of a sentence; undefined for a word without a tone. */
export function spoken(sentence: string): Sound | undefined {
  const frequencies = sentence.toLowerCase().split(/\s+/).filter(Boolean).map(frequencyOf);
  const [word, pause] = [SECONDS_PER_WORD * RATE, PAUSE_SECONDS * RATE];
  const samples = new Float32Array(frequencies.length * (word + pause));
  for (const [index, frequency] of frequencies.entries()) {
    if (frequency === undefined) return undefined;
    const start = index * (word + pause);
    for (let at = 0; at < word; at += 1)
      samples[start + at] = 0.6 * Math.sin((2 * Math.PI * frequency * at) / RATE);
  }
  return { rate: RATE, samples };
}

export function tone(frequency: number, seconds: number): Sound {
  const samples = new Float32Array(Math.round(seconds * RATE));
  for (let at = 0; at < samples.length; at += 1)
    samples[at] = 0.6 * Math.sin((2 * Math.PI * frequency * at) / RATE);
  return { rate: RATE, samples };
}

/** The words of the tones; a frequency that stands for no word is named. Silence is no word. */
export function heardIn(sound: Sound): string {
  const window = Math.max(2, Math.round(WINDOW_SECONDS * sound.rate));
  const words: string[] = [];
  let before: string | null = null;
  for (let start = 0; start + window <= sound.samples.length; start += window) {
    const frequency = frequencyIn(sound.samples.subarray(start, start + window), sound.rate);
    const word = frequency === null ? null : nameOf(frequency);
    if (word !== null && word !== before) words.push(word);
    before = word;
  }
  return words.join(' ');
}

export const secondsOf = ({ samples, rate }: Sound): number => samples.length / rate;

/** By the zero crossings upwards, interpolated between samples. null for silence and for noise without a tone. */
function frequencyIn(samples: Float32Array, rate: number): number | null {
  let [first, last, crossings, loudest] = [0, 0, 0, 0];
  for (let at = 1; at < samples.length; at += 1) {
    const [left, right] = [samples[at - 1] ?? 0, samples[at] ?? 0];
    loudest = Math.max(loudest, Math.abs(right));
    if (left >= 0 || right < 0) continue;
    last = at - 1 + left / (left - right);
    if (crossings === 0) first = last;
    crossings += 1;
  }
  return crossings < 3 || loudest < 0.02 ? null : ((crossings - 1) * rate) / (last - first);
}

function nameOf(frequency: number): string {
  const index = Math.round((frequency - LOWEST_HZ) / STEP_HZ);
  const word = WORDS[index];
  const isNear = Math.abs(frequency - (LOWEST_HZ + index * STEP_HZ)) < STEP_HZ / 4;
  return word !== undefined && isNear ? word : `[tone of ${Math.round(frequency / 10) * 10} hertz]`;
}

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
