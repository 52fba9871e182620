import type { Call } from '../../wire/call.js';
import {
  containerSettings,
  type ContainerDialect,
  type ContainerDraft,
  type ContainerPost,
  type MediaType,
} from '../containers/dialect.js';
import { DraftFields, MB, refuse, shortcodeOf, VIDEO_ENCODING } from '../containers/draft-fields.js';
import { GraphCallIsRefused } from '../graph/graph-problems.js';
import * as problems from './threads-problems.js';

const EMOJI = /\p{RGI_Emoji}/gv;
const LINK = /https?:\/\/[^\s<>"]+/giu;

/** "Emojis are counted as the number of UTF-8 bytes used to represent them". */
function lengthOf(text: string): number {
  const emoji = [...text.matchAll(EMOJI)].map(([each]) => each);
  const inBytes = emoji.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  return [...text.replace(EMOJI, '')].length + inBytes;
}

const linksIn = (text: string, attached: string | null): number =>
  new Set([...text.matchAll(LINK)].map(([each]) => each).concat(attached ?? [])).size;

const MAX_TEXT = 500;
const MAX_LINKS = 5;
const PARAMETERS =
  'media_type text image_url video_url is_carousel_item children reply_to_id reply_control alt_text link_attachment quote_post_id topic_tag'.split(
    ' ',
  );
const TYPES = ['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL'];

/** Threads: developers.facebook.com/docs/threads/posts. */
export const THREADS: ContainerDialect = {
  network: 'threads',
  displayName: 'Threads',
  site: 'www.threads.net',
  tokenPrefix: 'THAA',
  grantPrefix: 'th',
  textField: 'text',
  scopes: {
    threads_basic: 'See your profile and what you have published.',
    threads_content_publish: 'Publish threads for you.',
  },
  namesPermissions: false,
  publishScope: 'threads_content_publish',
  settings: containerSettings(250),
  paths: { containers: 'threads', publish: 'threads_publish', quota: 'threads_publishing_limit' },
  lists: {
    threads: ({ inReplyTo }) => inReplyTo === null,
    replies: ({ inReplyTo }) => inReplyTo !== null,
  },
  children: { min: 2, max: 20 },
  image: () => ({ formats: ['jpeg', 'png'], maxBytes: 8 * MB, minRatio: 0.1, maxRatio: 10 }),
  video: () => ({ ...VIDEO_ENCODING, maxBytes: 1_000 * MB, minRatio: 0.01, maxMs: 300_000 }),
  draftIn,
  containerView: ({ id, error }, state) => ({
    id,
    status: state,
    ...(state === 'ERROR' && error !== null && { error_message: error }),
  }),
  postView: (post) => ({
    id: post.id,
    media_product_type: 'THREADS',
    media_type: post.mediaType === 'TEXT' ? 'TEXT_POST' : post.mediaType,
    ...(post.text !== '' && { text: post.text }),
    timestamp: post.createdAt.replace(/\.\d+Z$/, '+0000'),
    shortcode: shortcodeOf(post.id),
  }),
  postPath: pathOf,
  ...problems,
};

function pathOf({ id }: ContainerPost, username: string): string {
  return `/@${username}/post/${shortcodeOf(id)}`;
}

function draftIn(call: Call): ContainerDraft {
  const fields = new DraftFields(call);
  fields.mustHaveOnly(PARAMETERS);
  const mediaType = fields.text('media_type') ?? '';
  if (!TYPES.includes(mediaType)) refuse('media_type must be TEXT, IMAGE, VIDEO or CAROUSEL.', 2_207_023);
  const type = mediaType as MediaType;
  const [text, link] = [fields.text('text') ?? '', fields.text('link_attachment')];
  mustBeText(type, text, link);
  const hasFile = type === 'IMAGE' || type === 'VIDEO';
  const altText = fields.altText();
  if (altText !== null && !hasFile) refuse('alt_text is supported for images and videos only.');
  return {
    mediaType: type,
    text,
    altText,
    link,
    isItem: fields.flag('is_carousel_item'),
    source: hasFile ? fields.source(type) : null,
    children: type === 'CAROUSEL' ? fields.list('children') : [],
    replyTo: fields.text('reply_to_id'),
    notes: [],
  };
}

function mustBeText(type: MediaType, text: string, link: string | null): void {
  if (type === 'TEXT' && text === '') refuse('The parameter text is required.');
  if (type !== 'TEXT' && link !== null) refuse('link_attachment is supported for text posts only.');
  if (lengthOf(text) > MAX_TEXT)
    throw new GraphCallIsRefused({
      message: `Param text must be at most ${MAX_TEXT} characters long.`,
      code: 100,
      subcode: 2_207_010,
    });
  if (linksIn(text, link) > MAX_LINKS)
    throw new GraphCallIsRefused({ message: 'THREADS_API__LINK_LIMIT_EXCEEDED', code: 100 });
}
