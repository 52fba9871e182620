import { isVisible } from './is-name.js';

/** Trimmed; null for a text without visible characters. */
export function tidyText(text: string): string | null {
  const tidy = text.trim();
  return isVisible(tidy) ? tidy : null;
}

/** Trimmed texts; of those that differ only in case, the first. */
export function tidyList(list: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const text of list.flatMap((one) => tidyText(one) ?? [])) {
    const key = text.toLowerCase();
    if (!kept.has(key)) kept.set(key, text);
  }
  return [...kept.values()];
}
