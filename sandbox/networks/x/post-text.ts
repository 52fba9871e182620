import { hash } from 'node:crypto';
import twitterText from 'twitter-text';
import type { SandboxPost } from '../kit/state/accounts.js';

export interface XPost extends SandboxPost {
  /** As it was sent, in NFC. What the wire shows is `wireText`. */
  readonly text: string;
  readonly inReplyTo: string | null;
  /** Id of the post that the thread began with. */
  readonly conversationId: string;
}

/** Weighted characters of an ordinary account, and of one with a subscription. */
export const MAX_WEIGHT = { ordinary: 280, subscriber: 25_000 } as const;

interface Link {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  readonly expandedUrl: string;
}

/**
 * The length X counts (twitter-text, configuration 3): a link is 23, an emoji 2, most of Latin 1. Without a dot there is
 * no link, and plain ASCII weighs what it is long, so the parser is spared for most texts.
 */
export function weightedLength(text: string): number {
  if (isPlain(text)) return text.length;
  return twitterText.parseTweet(text).weightedLength;
}

/** Byte order marks and non-characters that X refuses. */
export function hasInvalidCharacters(text: string): boolean {
  return !isPlain(text) && (twitterText.hasInvalidCharacters(text) || !text.isWellFormed());
}

/** Links in the text as X rewrites them: each becomes an address of its shortener. */
export function linksIn(postId: string, text: string): Link[] {
  if (!text.includes('.')) return [];
  const found = twitterText.extractUrlsWithIndices(text);
  return found.map(({ url, indices: [start, end] }) => ({
    start,
    end,
    url: shortened(`${postId} ${start}`),
    expandedUrl: /^https?:\/\//i.test(url) ? url : `http://${url}`,
  }));
}

/** The text as X sends it back: links shortened, and `&`, `<` and `>` escaped for HTML. */
export function wireText(postId: string, text: string): string {
  let [shown, from] = ['', 0];
  for (const link of linksIn(postId, text)) {
    shown += escaped(text.slice(from, link.start)) + link.url;
    from = link.end;
  }
  return shown + escaped(text.slice(from));
}

/** The address that X appends to the text of a post with media, the same for all of them. */
export const mediaLinkOf = ({ id, mediaIds }: Pick<XPost, 'id' | 'mediaIds'>): string | null =>
  mediaIds ? shortened(`${id} media`) : null;

export function shownText(post: Pick<XPost, 'id' | 'text' | 'mediaIds'>): string {
  return [wireText(post.id, post.text), mediaLinkOf(post) ?? ''].filter((part) => part !== '').join(' ');
}

const shortened = (what: string): string =>
  `https://t.co/${hash('sha256', what, 'base64url').replace(/[-_]/g, 'x').slice(0, 10)}`;

const isPlain = (text: string): boolean => /^[\n\x20-\x2d\x2f-\x7e]*$/.test(text);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
