import type { RenditionSpec } from '#libs/content';

/** Whether the result depends on the focus point of the file. */
export const isCropped = (spec: RenditionSpec): boolean => spec.kind === 'image' && spec.ratio !== null;

/**
 * The same text for equal specifications, whatever the order of their keys. The order of formats counts: it is the order of preference.
 */
export function canonicalSpec(spec: RenditionSpec): string {
  return JSON.stringify(spec, (_, value: unknown) => (isRecord(value) ? sorted(value) : value));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
