import { decodeHTML } from 'entities';
import { oneLine } from '../../../domain/text.js';

/** Elements whose content is no text. Of one without an end, the rest of the document. */
const INVISIBLE = /<(script|style|template|iframe|noscript)\b[^<>]*>[^]*?(?:<\/\1[^<>]*>|$)/gi;
const COMMENT = /<!--[^]*?(?:-->|$)/g;
/** Not what only looks like one, as in `1 < 2` or `<3`. No nested `<`, so that many of them take linear time. */
const TAG = /<[/!?]?[a-z][^<>]*>/gi;
/** More markup than any title or summary has. Keeps expressions with a search for an end cheap. */
const MAX_MARKUP = 20_000;

/** The text of HTML as one line. @param limit in UTF-16 units */
export function plainText(html: unknown, limit: number): string {
  if (typeof html !== 'string') return '';
  const visible = html.slice(0, MAX_MARKUP).replaceAll(COMMENT, ' ').replaceAll(INVISIBLE, ' ');
  return oneLine(decodeHTML(visible.replaceAll(TAG, ' ')), limit);
}
