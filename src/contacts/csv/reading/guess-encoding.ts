import { TimeSlices } from '#libs/concurrency';
import type { HanLanguage } from '../domain/encodings/language-models.js';
import { hanModel, Plausibility } from '../domain/encodings/plausibility.js';
import { chunkDecoder } from './text-decoder.js';

interface Candidate {
  /** As `canonicalLabel` writes it. */
  readonly label: string;
  /** Natural logarithm of its frequency relative to windows-1252. Decides only when the text gives no evidence. */
  readonly prior: number;
  /** For encodings with two bytes per character: the language, and the first bytes of common characters. */
  readonly han?: { readonly language: HanLanguage; readonly everyday: readonly [number, number] };
}

/** Single-byte encodings that programs still write, then those of East Asia. */
const CANDIDATES: readonly Candidate[] = [
  { label: 'windows-1252', prior: 0 },
  { label: 'windows-1250', prior: -1 },
  { label: 'windows-1251', prior: -1 },
  { label: 'windows-1253', prior: -1 },
  { label: 'windows-1254', prior: -1 },
  { label: 'windows-1255', prior: -1 },
  { label: 'windows-1256', prior: -1 },
  { label: 'windows-1257', prior: -1 },
  { label: 'windows-1258', prior: -3 },
  { label: 'windows-874', prior: -1 },
  { label: 'macintosh', prior: -1.5 },
  { label: 'x-mac-cyrillic', prior: -3 },
  { label: 'iso-8859-2', prior: -1.5 },
  { label: 'iso-8859-5', prior: -3 },
  { label: 'iso-8859-7', prior: -1.5 },
  { label: 'iso-8859-13', prior: -3 },
  { label: 'iso-8859-15', prior: -2 },
  { label: 'iso-8859-16', prior: -3 },
  { label: 'koi8-u', prior: -2 },
  { label: 'koi8-r', prior: -2 },
  { label: 'ibm866', prior: -3 },
  { label: 'iso-8859-4', prior: -6 },
  { label: 'cp437', prior: -3 },
  { label: 'cp850', prior: -2 },
  { label: 'cp852', prior: -2 },
  { label: 'cp857', prior: -3 },
  { label: 'cp737', prior: -3 },
  { label: 'cp775', prior: -4 },
  { label: 'maccenteuro', prior: -2.5 },
  { label: 'macturkish', prior: -4 },
  { label: 'macgreek', prior: -4 },
  { label: 'maciceland', prior: -4 },
  { label: 'shift_jis', prior: -1, han: { language: 'ja', everyday: [0x82, 0x97] } },
  { label: 'euc-jp', prior: -2, han: { language: 'ja', everyday: [0xa4, 0xcf] } },
  { label: 'gbk', prior: -1, han: { language: 'zh', everyday: [0xb0, 0xd7] } },
  { label: 'big5', prior: -1, han: { language: 'tw', everyday: [0xa4, 0xc6] } },
  { label: 'euc-kr', prior: -1, han: { language: 'ko', everyday: [0xb0, 0xc8] } },
];

export interface EncodingGuess {
  readonly label: string;
  /** The next best encoding with a different text; null when all plausible ones give the same text. */
  readonly secondBest: string | null;
  readonly isCertain: boolean;
}

/** How many words are used to compare all candidates, and how many candidates are compared by all words. */
const FIRST_WORDS = 40;
const FINALISTS = 8;
const LINE_FEED = Buffer.from('\n');
/** A difference of natural logarithms: the second-best is 400 times less likely. */
const CERTAIN_MARGIN = 6;
/** Maximum weight of one word against an encoding: a file can hold a few damaged words. */
const MAX_WORD_WEIGHT = 25;
/** Minimum of words that another encoding reads much better for a guess to be uncertain. */
const MIXED = 0.12;
const MUCH_BETTER_MARGIN = 8;
/** Natural logarithm per byte: a word below it belongs to no known language. The right encoding has few of them. */
const MIN_READABLE = -4.6;
const UNREADABLE_WORDS = 0.25;

interface Reading {
  readonly candidate: Candidate;
  readonly words: readonly string[];
  readonly scores: readonly number[];
  readonly total: number;
}

/**
 * The encoding in which words look most like names, places and companies of some language.
 * @param words distinct words as bytes, each with a byte above 127, at least one; 300 are enough.
 */
export async function guessEncoding(words: readonly Buffer[]): Promise<EncodingGuess> {
  const plausibility = new Plausibility();
  const every = Math.ceil(words.length / FIRST_WORDS);
  const some = words.filter((_, at) => at % every === 0);
  const atFirst = await readingsOf(some, CANDIDATES, plausibility);
  const likely = atFirst.slice(0, FINALISTS).map(({ candidate }) => candidate);
  const [best, ...others] = (await readingsOf(words, likely, plausibility)) as [Reading, ...Reading[]];
  const text = best.words.join('\n');
  const second = others.find((other) => other.words.join('\n') !== text);
  const margin = best.total - (second?.total ?? -Infinity);
  const isCertain = margin >= CERTAIN_MARGIN && isReadable(best, words) && !isMixed(best, others);
  return { label: best.candidate.label, secondBest: second?.candidate.label ?? null, isCertain };
}

async function readingsOf(
  words: readonly Buffer[],
  candidates: readonly Candidate[],
  plausibility: Plausibility,
): Promise<Reading[]> {
  const bytes = Buffer.concat(words.flatMap((word) => [word, LINE_FEED]));
  const scored: Omit<Reading, 'total'>[] = [];
  const slices = new TimeSlices();
  for (const candidate of candidates) {
    await slices.pause();
    const decoder = chunkDecoder(candidate.label);
    const read = (decoder.write(bytes) + decoder.end()).split('\n').slice(0, -1);
    const han = candidate.han && hanModel(candidate.label, candidate.han.language, candidate.han.everyday);
    scored.push({ candidate, words: read, scores: read.map((word) => plausibility.score(word, han)) });
  }
  const best = words.map((_, at) => Math.max(...scored.map(({ scores }) => scores[at] ?? -Infinity)));
  const readings = scored.map((reading) => {
    const scores = best.map((most, at) => Math.max(reading.scores[at] ?? -Infinity, most - MAX_WORD_WEIGHT));
    return { ...reading, scores, total: sum(scores) + reading.candidate.prior };
  });
  return readings.sort((a, b) => b.total - a.total);
}

function isReadable({ scores }: Reading, words: readonly Buffer[]): boolean {
  const unreadable = scores.filter((score, at) => score < MIN_READABLE * ((words[at]?.length ?? 0) + 1));
  return unreadable.length <= UNREADABLE_WORDS * scores.length;
}

/** Another encoding reads some of the words much better, and the texts differ there. */
function isMixed(best: Reading, others: readonly Reading[]): boolean {
  return others.some(({ scores }) => {
    const better = scores.filter((score, at) => score - (best.scores[at] ?? 0) > MUCH_BETTER_MARGIN).length;
    return better > MIXED * scores.length;
  });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
