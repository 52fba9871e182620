/** Ends the text when it is not escaped and not part of an element. */
const ENDS_TEXT = /[(){}[\]<>|@*]/;
const MENTION = /^@\[((?:\\.|[^\]\\])*)\]\(urn:li:(?:person|organization):[\w-]+\)/;
const HASHTAG = /^\{hashtag\|\\?#\|((?:\\.|[^}\\])*)\}/;
const ADDRESS = /^https?:\/\/[^\s(){}[\]<>|*\\]+/;

/**
 * What readers see of little text: escapes are resolved, mentions show their name. As LinkedIn does, the text ends without any error at
 * a reserved character that is neither escaped nor part of an element.
 */
export function shownText(commentary: string): string {
  let [shown, rest] = ['', commentary];
  while (rest !== '') {
    const element = elementIn(rest);
    if (element === null) break;
    shown += element.shown;
    rest = rest.slice(element.length);
  }
  return shown.trimEnd();
}

function elementIn(rest: string): { shown: string; length: number } | null {
  const [mention, name] = MENTION.exec(rest) ?? [];
  if (mention !== undefined) return { shown: unescaped(name ?? ''), length: mention.length };
  const [template, tag] = HASHTAG.exec(rest) ?? [];
  if (template !== undefined) return { shown: `#${unescaped(tag ?? '')}`, length: template.length };
  const [address] = ADDRESS.exec(rest) ?? [];
  if (address !== undefined) return { shown: address, length: address.length };
  if (rest.startsWith('\\')) return rest.length > 1 ? { shown: rest.charAt(1), length: 2 } : null;
  return ENDS_TEXT.test(rest.charAt(0)) ? null : { shown: rest.charAt(0), length: 1 };
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');
