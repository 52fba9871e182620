import type { Finding } from '#libs/content';
import type { ContentToCheck, TextLength } from '../../provider.js';
import { widthRule } from '../containers/video-rules.js';
import { error } from '../findings.js';
import { mediaFindings, renditionsBy } from '../media-rules.js';
import { unsupportedOptions } from '../option-rules.js';
import { formerlyAcceptedTargets } from '../target-rules.js';
import { IMAGE, MAX_LINKS, MAX_TEXT, MEDIA, VIDEO } from './threads-limits.js';
import { lengthOf, linksIn, partsOf } from './threads-text.js';

const THREADS = { platform: 'threads', displayName: 'Threads' };
/** UTF-16 units; a longer text cannot be valid, so it is not searched. */
const MAX_SEARCHED = 10 * MAX_TEXT;

/** The rules of Threads that can be checked without asking Threads. */
export function preflight(content: ContentToCheck): Finding[] {
  const { media, options } = content;
  return [
    ...text(content),
    ...mediaFindings(THREADS, MEDIA, media, { video: [widthRule('Threads')] }),
    ...formerlyAcceptedTargets(THREADS, content),
    ...unsupportedOptions(THREADS, options, []),
  ];
}

function text(content: ContentToCheck): Finding[] {
  const parts = partsOf(content, content.media.length);
  if (parts.text.length > MAX_SEARCHED) return [tooLong('far more')];
  const length = lengthOf(parts.text);
  return [
    ...(parts.text.trim() === '' && content.media.length === 0
      ? [error('threads.text.empty', 'A post on Threads needs text or a file.', '#/text')]
      : []),
    ...(length > MAX_TEXT ? [tooLong(String(length))] : []),
    ...(linksIn(parts) > MAX_LINKS
      ? [
          error(
            'threads.text.links',
            `Threads takes at most ${MAX_LINKS} different links in a post. Remove some.`,
            '#/text',
          ),
        ]
      : []),
  ];
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
