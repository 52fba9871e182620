import twitterText from 'twitter-text';
import { withLink } from '../content-rules.js';

/** Characters of `commentary`, escapes included (LinkedIn answers 400 with "maxLength 3000"). */
export const MAX_LENGTH = 3_000;

export interface PostText {
  readonly text: string;
  readonly title?: string | null;
  readonly link?: string | null;
}

/** An address with a title: LinkedIn reads no title from the page, and a post has either a card or files. null: no card. */
export function articleOf(
  { title, link }: PostText,
  files: number,
): { source: string; title: string } | null {
  const shown = title?.trim() ?? '';
  return link && shown !== '' && files === 0 ? { source: link, title: shown } : null;
}

/** The text to send. A link without a card is appended as its own paragraph, unless the text has it. */
export function commentaryOf(content: PostText, files: number): string {
  const { text, link } = content;
  return littleText(articleOf(content, files) === null ? withLink(text, link) : text);
}

/** A URN in a mention, `@[Name](urn:li:organization:1)`, and in the text of a hashtag's sign. */
const LIVE =
  /@\[(?<name>[^\]\n]{1,200})\]\((?<urn>urn:li:(?:organization|person):[A-Za-z0-9_-]{1,100})\)|(?<hashtag>(?<![\p{L}\p{N}_&])#(?=[\p{L}\p{N}]*\p{L}))|(?<reserved>[\\|{}@[\]()<>#*_~])/gu;
const RESERVED = /[\\|{}@[\]()<>#*_~]/g;
/** Those that end or change the text when they are not escaped, and have an equivalent in an address. */
const RESERVED_IN_ADDRESS = /[\\|{}[\]()<>*]/g;

/**
 * LinkedIn reads `commentary` as "little" text (learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format,
 * read 2026-11-23): `\ | { } @ [ ] ( ) < > # * _ ~` are reserved and escaped by a backslash. Without it LinkedIn answers 201 and cuts the
 * text at the character. Not escaped:
 * - the sign of a hashtag, because `\#word` is no link,
 * - a mention, `@[Name](urn:li:organization:1)`,
 * - an address: LinkedIn would not link it with backslashes. Reserved characters that cut a text are percent-encoded in it.
 */
export function littleText(text: string): string {
  let [little, from] = ['', 0];
  for (const { url, indices } of twitterText.extractUrlsWithIndices(text)) {
    const [start, end] = indices;
    little += escaped(text.slice(from, start)) + url.replace(RESERVED_IN_ADDRESS, percentEncoded);
    from = end;
  }
  return little + escaped(text.slice(from));
}

function escaped(text: string): string {
  return text.replace(LIVE, (whole: string, ...more: unknown[]) => {
    const { name, urn, hashtag } = more.at(-1) as Record<string, string | undefined>;
    if (name !== undefined && urn !== undefined)
      return `@[${name.replace(RESERVED, (each) => `\\${each}`)}](${urn})`;
    return hashtag === undefined ? `\\${whole}` : whole;
  });
}

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
