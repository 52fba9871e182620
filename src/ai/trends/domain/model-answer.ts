import { oneLine } from './plain.js';
import type { FoundTrend } from './trend.js';
import { MAX_SUMMARY, MAX_TITLE } from './trend.js';
import { webAddress } from './web-address.js';

/** Trends of one answer; the rest is dropped. */
export const MAX_MODEL_TRENDS = 20;

export interface ModelAnswer {
  readonly trends: readonly FoundTrend[];
  /** Items that are no trends. */
  readonly dropped: number;
}

/**
 * The trends in the text of a model. Each item is judged alone: one that is no trend is dropped, and a text that was cut keeps its
 * complete items. Years in the text mean nothing: a current trend may refer to earlier ones.
 * @returns null for a text without a list of items
 */
export function trendsInAnswer(text: string): ModelAnswer | null {
  const items = itemsIn(text);
  if (items === null) return null;
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

function itemsIn(text: string): readonly unknown[] | null {
  const whole = parsed(text);
  if (isList(whole)) return whole;
  const { trends } = (whole ?? {}) as { trends?: unknown };
  if (isList(trends)) return trends;
  return completeItemsIn(text);
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The objects of the first list of a text that is no JSON as a whole: it was cut, or has words or a code fence around it. */
function completeItemsIn(text: string): readonly unknown[] | null {
  const start = text.indexOf('[');
  if (start < 0) return null;
  const items: unknown[] = [];
  let depth = 0;
  let begin = 0;
  let isInString = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') {
      if (depth === 0) begin = at;
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) items.push(parsed(text.slice(begin, at + 1)));
    }
    if (depth < 0 || (depth === 0 && !isInString && character === ']')) break;
  }
  return items.length > 0 ? items : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
