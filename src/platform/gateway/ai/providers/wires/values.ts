import { exactJson } from '#libs/outbound-http';

/** Reading JSON of providers. Each function is total: a value of another type reads as absent. */

export type Members = Readonly<Record<string, unknown>>;

/** A number as it is written (TC39 JSON.parse source text access, in Node since 21; TypeScript does not know it). */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (source: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
};

export const isRecord = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
export const record = (value: unknown): Members => (isRecord(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** null also for empty text. */
export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
/** A whole number from 0; null for anything else. */
export const count = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;

/**
 * undefined for text that is no JSON. Integers that no number can represent, such as ids of networks in arguments of tools, are printed
 * again as they were written; read as a count, they are absent.
 */
export function json(source: string): unknown {
  try {
    return exactJson(source, rawJSON);
  } catch {
    return undefined;
  }
}
