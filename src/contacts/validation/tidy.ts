import { isVisible } from '#libs/http';

/** Without space around it; a text in which nothing is to be seen is nothing. */
export function tidyText(text: string): string | null {
  const tidy = text.trim();
  return isVisible(tidy) ? tidy : null;
}

/** Each tidied; of those that differ in upper and lower case only, the first. */
export function tidyList(list: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const text of list.flatMap((one) => tidyText(one) ?? [])) {
    const key = text.toLowerCase();
    if (!kept.has(key)) kept.set(key, text);
  }
  return [...kept.values()];
}
