/** Reading JSON of providers. Each function is total: a value of another type reads as absent. */

export type Members = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const record = (value: unknown): Members => (isRecord(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** null also for empty text. */
export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
/** A whole number from 0; null for anything else. */
export const count = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;

/** undefined for text that is no JSON. */
export function json(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}
