/** A part of a document is not as expected. The message names it. */
export class Malformed extends Error {}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object, or null when it is absent. @throws Malformed */
export function optional(
  of: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> | null {
  const value = of[name];
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) throw new Malformed(`${name} is no object`);
  return value;
}

const MAX_TEXT = 200;
const CONTROL = /\p{Cc}/u;

/** A text of visible characters, or null when it is absent. @throws Malformed */
export function textIn(of: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = of[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > MAX_TEXT || CONTROL.test(value) || value.trim() === '')
    throw new Malformed(`${name} is no text`);
  return value;
}

const MAX_TOKENS = 1_000_000_000;

/** A number of tokens, or null when it is absent or 0, which stands for unknown. @throws Malformed */
export function tokensIn(of: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = of[name];
  if (value === undefined || value === null || value === 0) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_TOKENS)
    throw new Malformed(`${name} is no number of tokens`);
  return value;
}
