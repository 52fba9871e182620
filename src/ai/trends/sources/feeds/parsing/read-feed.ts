import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { parseFeed } from 'feedsmith';
import type { Instant } from '#libs/content';
import { mayBeOtherThanUtf8 } from '#libs/text';
import { pastInstant } from '../../../domain/past-instant.js';
import { type FoundTrend, MAX_SOURCE_NAME, MAX_SUMMARY, MAX_TITLE } from '../../../domain/trend.js';
import { webAddress } from '../../../domain/web-address.js';
import { plainText } from './plain-text.js';

/** Of one feed: the newest ones. */
export const MAX_FEED_TRENDS = 30;

export interface FeedDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** From which the feed came, after redirects. */
  readonly url: string;
  readonly now: Instant;
}

export interface Feed {
  readonly title: string;
  /** Newest first; those without a date last, as the feed has them. */
  readonly trends: readonly FoundTrend[];
  readonly dropped: number;
}

/** An item as any of the four formats has it; every member is as the feed wrote it, or missing. */
interface Item {
  readonly title?: unknown;
  readonly summary?: unknown;
  readonly link?: unknown;
  readonly date?: unknown;
  readonly id?: unknown;
}

/**
 * RSS, Atom, RDF or JSON Feed. Relative links are resolved; titles and summaries are plain text; items without a title and text
 * are dropped.
 * @throws Error for a document that is no feed
 */
export function readFeed({ bytes, contentType, url, now }: FeedDocument): Feed {
  const { title, base, items } = partsOf(textOf(bytes, contentType), url);
  const found = items.flatMap((item) => trendOf(item, base, now) ?? []).sort(newestFirst);
  const trends = new Map<string, FoundTrend>();
  for (const trend of found) if (!trends.has(trend.identity)) trends.set(trend.identity, trend);
  return {
    title: plainText(title, MAX_SOURCE_NAME) || new URL(url).hostname,
    trends: [...trends.values()].slice(0, MAX_FEED_TRENDS),
    dropped: items.length - found.length,
  };
}

/** Feeds are written in either order. */
const newestFirst = (one: FoundTrend, other: FoundTrend): number => timeOf(other) - timeOf(one);

const timeOf = ({ publishedAt }: FoundTrend): number => (publishedAt === null ? 0 : Date.parse(publishedAt));

const MARKS = [
  ['utf-8', 'efbbbf'],
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
] as const;
const DECLARED = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i;

/**
 * By the evidence of the bytes first, because servers and generators often name another encoding: a byte order mark, well-formed
 * UTF-8, the XML declaration, then the header.
 */
function textOf(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, 200));
  const marked = MARKS.find(([, mark]) => head.toString('hex').startsWith(mark))?.[0];
  const isEvident = isUtf8(bytes) && !mayBeOtherThanUtf8(bytes);
  const names = [
    marked,
    isEvident ? 'utf-8' : undefined,
    DECLARED.exec(head.toString('latin1'))?.[1],
    /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1],
    'utf-8',
  ];
  const decoders = names.flatMap((name) => decoderOf(name));
  return decoders[0]?.decode(bytes) ?? '';
}

function decoderOf(name: string | undefined): InstanceType<typeof TextDecoder>[] {
  try {
    return name === undefined ? [] : [new TextDecoder(name)];
  } catch {
    return [];
  }
}

interface Parts {
  readonly title: unknown;
  readonly base: string;
  readonly items: readonly Item[];
}

function partsOf(text: string, url: string): Parts {
  const parsed = parse(text);
  switch (parsed.format) {
    case 'atom': {
      const { feed } = parsed;
      const base = webAddress(feed.xml?.base, url) ?? url;
      return {
        title: feed.title?.value,
        base,
        items: (feed.entries ?? []).map((entry) => atomItem(entry, base)),
      };
    }
    case 'rss': {
      const { feed } = parsed;
      return { title: feed.title, base: url, items: (feed.items ?? []).map((item) => rssItem(item)) };
    }
    case 'rdf': {
      const { feed } = parsed;
      const items = (feed.items ?? []).map((item) => ({
        title: item.title,
        summary: item.description,
        link: item.link,
        date: item.dc?.dates?.[0],
      }));
      return { title: feed.title, base: url, items };
    }
    case 'json': {
      const { feed } = parsed;
      const items = (feed.items ?? []).map((item) => ({
        title: item.title,
        link: item.url ?? item.external_url,
        id: item.id,
        summary: item.summary ?? item.content_text ?? item.content_html,
        date: item.date_published ?? item.date_modified,
      }));
      return { title: feed.title, base: url, items };
    }
  }
}

/** All items: the newest ones can be anywhere. */
const parse = (text: string) => parseFeed(text);

type Parsed<Format extends string> = Extract<ReturnType<typeof parse>, { format: Format }>['feed'];
type AtomEntry = NonNullable<Parsed<'atom'>['entries']>[number];
type RssItem = NonNullable<Parsed<'rss'>['items']>[number];

/** RFC 4287: a link without `rel` is the alternate one. */
function atomItem(entry: AtomEntry, base: string): Item {
  const link = entry.links?.find(({ rel = 'alternate' }) => rel === 'alternate')?.href;
  return {
    title: entry.title?.value,
    summary: entry.summary?.value ?? entry.content?.value,
    link: webAddress(link, webAddress(entry.xml?.base, base) ?? base),
    date: entry.published ?? entry.updated,
    id: entry.id,
  };
}

/** RSS 2.0: a guid is the address of the item unless it says that it is none. */
function rssItem(item: RssItem): Item {
  const { guid } = item;
  return {
    title: item.title,
    summary: item.description ?? item.content?.encoded,
    link: item.link ?? (guid?.isPermaLink === false ? undefined : absolute(guid?.value)),
    date: item.pubDate ?? item.dc?.dates?.[0],
    id: guid?.value,
  };
}

const absolute = (text: unknown): string | undefined => webAddress(text) ?? undefined;

function trendOf({ title, summary, link, date, id }: Item, base: string, now: Instant): FoundTrend | null {
  const text = plainText(summary, MAX_SUMMARY);
  // RSS 2.0 lets an item have a description only.
  const line = plainText(title, MAX_TITLE) || plainText(summary, MAX_TITLE);
  if (!/[\p{L}\p{N}]/u.test(line)) return null;
  const address = webAddress(link, base);
  return {
    title: line,
    summary: text === line ? '' : text,
    link: address,
    publishedAt: pastInstant(date, now),
    identity: identityOf(id, address, line),
  };
}

/** What the feed says identifies the item, else its address, else its title. */
function identityOf(id: unknown, address: string | null, title: string): string {
  if (typeof id !== 'string' || id === '') return address ?? title;
  return id.length <= 2_048 ? id : hash('sha256', id);
}
