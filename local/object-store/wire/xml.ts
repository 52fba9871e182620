import { S3Error } from './s3-error.js';

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

type Content = string | number | boolean | readonly string[] | undefined;

/** One element: text is escaped, a list holds elements, undefined leaves the element out. */
export function element(name: string, content: Content): string {
  if (content === undefined) return '';
  const inner = Array.isArray(content) ? content.join('') : escapeText(String(content));
  return `<${name}>${inner}</${name}>`;
}

export const root = (name: string, children: readonly string[]): string =>
  `<${name} xmlns="${NAMESPACE}">${children.join('')}</${name}>`;

const escapeText = (text: string): string =>
  text.replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character);

export interface XmlElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

const OPENING = /\s*<\?xml[^<>]*\?>\s*/y;
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z:]+="[^"<]*")*)\s*(\/?)>([^<]*)/y;

/** Elements and text only: no DTD, comment, CDATA or processing instruction, which no client of S3 sends. */
export function parseXml(text: string): XmlElement {
  const top: XmlElement = { name: '', children: [], text: '' };
  const open = [top];
  OPENING.lastIndex = 0;
  TAG.lastIndex = OPENING.test(text) ? OPENING.lastIndex : 0;
  let end = TAG.lastIndex;
  for (let tag = TAG.exec(text); tag; tag = TAG.exec(text)) {
    end = TAG.lastIndex;
    takeTag(open, tag);
  }
  const [only, ...others] = top.children;
  if (end !== text.length || open.length !== 1 || !only || others.length > 0 || top.text.trim() !== '')
    throw new S3Error('MalformedXML');
  return only;
}

function takeTag(open: XmlElement[], [, closing, name = '', , empty, text = '']: RegExpExecArray): void {
  const current = open.at(-1);
  if (closing) {
    if (open.length < 2 || current?.name !== name || empty) throw new S3Error('MalformedXML');
    open.pop();
  } else {
    const child: XmlElement = { name, children: [], text: '' };
    current?.children.push(child);
    if (!empty) open.push(child);
  }
  const inner = open.at(-1);
  if (inner) inner.text += unescapeText(text);
}

const unescapeText = (text: string): string =>
  text.replace(/&(#x?)?([^;]{0,8});?/g, (whole: string, number: string | undefined, name: string) => {
    const code = number === undefined ? NaN : Number.parseInt(name, number === '#x' ? 16 : 10);
    const character = Number.isNaN(code) ? ENTITIES[name] : characterOf(code);
    if (character === undefined || !whole.endsWith(';')) throw new S3Error('MalformedXML');
    return character;
  });

const characterOf = (code: number): string | undefined =>
  code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;

/** The text of the one child of that name, undefined when there is none. @throws S3Error MalformedXML for two */
export function childText({ children }: XmlElement, name: string): string | undefined {
  const [child, ...others] = children.filter((each) => each.name === name);
  if (others.length > 0) throw new S3Error('MalformedXML');
  return child?.text.trim();
}
