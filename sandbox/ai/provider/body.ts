import type { Call } from '../../wire/call.js';
import { invalid } from './problem.js';

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const asObject = (value: unknown): Members => (isObject(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The body as a JSON object. @throws ProviderRefuses */
export function jsonBody(call: Call, message: string): Members {
  const value = call.json?.value;
  return isObject(value) ? value : invalid(message, null);
}

/** Decodes base64; null when it is none. */
export function base64(text: string): Buffer | null {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0 ? Buffer.from(text, 'base64') : null;
}
