import { oneLine } from './text.js';
import { type FoundTrend, MAX_SUMMARY, MAX_TITLE } from './trend.js';
import { webAddress } from './web-address.js';

/** Where an object with members can begin. Runs of white space are read once, so that any text takes linear time. */
const BEGIN = /\{\s*"/g;
const STRUCTURE = /[{}"]|\\./gs;

/** An object ends before this many further beginnings, nested ones included: what a text costs is at most so many times its length. */
const MAX_INNER = 16;

interface ObjectsInText {
  readonly wanted: readonly unknown[];
  /** Text that begins like an object and is none that is wanted, each up to the next beginning. */
  readonly others: readonly string[];
}

/**
 * The JSON objects that `isWanted` accepts, at any place of a text: in a list, in other objects, between words. After one that is
 * no JSON the search continues at the next beginning of an object, so that a stray quotation mark spoils only its own object.
 * Linear in the length of the text.
 */
export function objectsIn(text: string, isWanted: (value: unknown) => boolean): ObjectsInText {
  const begins = Array.from(text.matchAll(BEGIN), ({ index }) => index);
  const wanted: unknown[] = [];
  const others: string[] = [];
  let end = 0;
  for (const [index, begin] of begins.entries()) {
    if (begin < end) continue;
    const object = objectAt(text.slice(begin, begins[index + MAX_INNER + 1]));
    if (object && isWanted(object.value)) {
      wanted.push(object.value);
      end = begin + object.length;
    } else others.push(text.slice(begin, begins[index + 1]));
  }
  return { wanted, others };
}

/** The object at the start of a text. undefined: it has no end there, or is no JSON. */
function objectAt(text: string): { readonly value: unknown; readonly length: number } | undefined {
  let depth = 0;
  let isInString = false;
  for (const { 0: token, index } of text.matchAll(STRUCTURE)) {
    if (token === '"') isInString = !isInString;
    else if (isInString || token.startsWith('\\')) continue;
    else depth += token === '{' ? 1 : -1;
    if (depth > 0 || isInString) continue;
    const length = index + 1;
    const value = parsed(text.slice(0, length));
    return value === undefined ? undefined : { value, length };
  }
  return undefined;
}

/** @returns undefined for a text that is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Trends of one answer; the rest is dropped. */
export const MAX_MODEL_TRENDS = 20;
/** UTF-16 units that are read of an answer. More than its tokens can hold; a longer one counts as cut there. */
export const MAX_ANSWER = 100_000;

export interface ModelAnswer {
  readonly trends: readonly FoundTrend[];
  readonly dropped: number;
}

/**
 * The trends in the text of a model. Each item is judged alone: one that is no trend, or no JSON, is dropped, and a text that was cut
 * keeps its complete items. Years in the text mean nothing: a current trend may refer to earlier ones.
 * @returns null for a text without a list of items
 */
export function trendsInAnswer(text: string): ModelAnswer | null {
  const bounded = text.slice(0, MAX_ANSWER);
  const list = listIn(bounded);
  return list ? judged(list) : scattered(bounded);
}

function listIn(text: string): readonly unknown[] | null {
  const whole = parsed(text);
  if (isList(whole)) return whole;
  const { trends } = (whole ?? {}) as { trends?: unknown };
  return isList(trends) ? trends : null;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The items of a text that was cut, has words or a code fence around its list, or breaks the rules of JSON somewhere. */
function scattered(text: string): ModelAnswer | null {
  const { wanted, others } = objectsIn(text, (value) => trendOf(value) !== null);
  if (wanted.length === 0) return null;
  const answer = judged(wanted);
  const dropped = others.filter((other) => other.includes('"title"')).length;
  return { ...answer, dropped: answer.dropped + dropped };
}

function judged(items: readonly unknown[]): ModelAnswer {
  const trends = new Map<string, FoundTrend>();
  let dropped = 0;
  for (const item of items) {
    const trend = trendOf(item);
    if (trend === null || trends.size >= MAX_MODEL_TRENDS) dropped += 1;
    else if (!trends.has(trend.identity)) trends.set(trend.identity, trend);
  }
  return { trends: [...trends.values()], dropped };
}

function trendOf(item: unknown): FoundTrend | null {
  if (typeof item !== 'object' || item === null) return null;
  const { title, summary, link } = item as Record<string, unknown>;
  if (typeof title !== 'string') return null;
  const line = oneLine(title, MAX_TITLE);
  if (!/[\p{L}\p{N}]/u.test(line)) return null;
  return {
    title: line,
    summary: typeof summary === 'string' ? oneLine(summary, MAX_SUMMARY) : '',
    link: webAddress(link),
    publishedAt: null,
    // Models write another address for the same trend each time, or none.
    identity: line.toLowerCase(),
  };
}
