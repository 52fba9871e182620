import type { Trend } from './trend.js';

/** Short enough that title and source fit the shortest networks; a person rewrites the text anyway. */
const MAX_TITLE = 150;

/** The text of a suggestion. It names the source; the link of the trend is the link of the post. */
export function suggestionText({ title, kind, sourceName }: Trend): string {
  const characters = [...title];
  const short = characters.length <= MAX_TITLE ? title : `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
  return `${short}\n\nSource: ${kind === 'model' ? `AI model ${sourceName}` : sourceName}`;
}
