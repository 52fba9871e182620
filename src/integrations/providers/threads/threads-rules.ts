import type { Finding } from '#libs/content';
import type { ContentToCheck, TextLength } from '../../provider.types.js';
import { widthRule } from '../containers/video-rules.js';
import { error, findingsOf, unsupportedOptions, unsupportedTargets } from '../content-rules.js';
import { mediaFindings, renditionsBy } from '../media-rules.js';
import { IMAGE, MAX_LINKS, MAX_TEXT, MEDIA, VIDEO } from './threads-limits.js';

const THREADS = { platform: 'threads', displayName: 'Threads' };
/** UTF-16 units; a longer text cannot be valid, so it is not searched. */
const MAX_SEARCHED = 10 * MAX_TEXT;

export function preflight(content: ContentToCheck): Finding[] {
  const { media, options } = content;
  return [
    ...text(content),
    ...mediaFindings(THREADS, MEDIA, media, { video: [widthRule('Threads')] }),
    ...unsupportedTargets(THREADS, content),
    ...unsupportedOptions(THREADS, options, []),
  ];
}

function text(content: ContentToCheck): Finding[] {
  const parts = partsOf(content, content.media.length);
  if (parts.text.length > MAX_SEARCHED) return [tooLong('far more')];
  const length = lengthOf(parts.text);
  return findingsOf(
    parts.text.trim() === '' &&
      content.media.length === 0 &&
      error('threads.text.empty', 'A post on Threads needs text or a file.', '#/text'),
    length > MAX_TEXT && tooLong(String(length)),
    linksIn(parts) > MAX_LINKS &&
      error(
        'threads.text.links',
        `Threads takes at most ${MAX_LINKS} different links in a post. Remove some.`,
        '#/text',
      ),
  );
}

/** A text that is too long to be searched counts its UTF-16 units: more than Threads takes in any case. */
export function textLength(content: ContentToCheck): TextLength {
  const { text: sent } = partsOf(content, content.media.length);
  return { length: sent.length > MAX_SEARCHED ? sent.length : lengthOf(sent), limit: MAX_TEXT };
}

const tooLong = (counted: string): Finding =>
  error(
    'threads.text.too-long',
    `Threads counts ${counted} characters and takes ${MAX_TEXT}. An emoji counts as its bytes in UTF-8. Shorten the text.`,
    '#/text',
  );

export const renditions = renditionsBy({ image: IMAGE, video: VIDEO });

/** Sequences that are shown as one picture, and characters that may be shown as one. */
const EMOJI = /\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?/gv;
const LINK = /https?:\/\/[^\s<>"]+/giu;

const encoder = new TextEncoder();

interface Content {
  readonly text: string;
  readonly link?: string | null;
}

/** Text and link as they are sent. Only a post without files has a link of its own; elsewhere it is part of the text. */
export function partsOf(content: Content, files: number): { text: string; link: string | null } {
  const text = content.text.normalize('NFC');
  const { link = null } = content;
  if (!link || text.includes(link)) return { text, link: null };
  if (text.trim() === '') return { text: link, link: null };
  return files === 0 ? { text, link } : { text: `${text}\n\n${link}`, link: null };
}

/** As Threads counts: an emoji as many as its bytes in UTF-8, everything else one for each character. */
export function lengthOf(text: string): number {
  const emoji = text.match(EMOJI) ?? [];
  const bytes = emoji.reduce((sum, each) => sum + encoder.encode(each).length, 0);
  const characters = [...text].length - emoji.reduce((sum, each) => sum + [...each].length, 0);
  return characters + bytes;
}

/** How many different links the post has. */
export function linksIn({ text, link }: { text: string; link: string | null }): number {
  return new Set([...(text.match(LINK) ?? []), ...(link === null ? [] : [link])]).size;
}
