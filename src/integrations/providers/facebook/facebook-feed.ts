import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { OutboundHttp } from '#libs/outbound-http';
import type { AttemptOnNetwork, FoundPost, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { graphGet, graphIdIn } from '../graph/graph-wire.js';
import { addressIn, listIn, bodyIn, memberOf } from '../values.js';
import { FacebookCalls } from './facebook-calls.js';
import { photosOf } from './facebook-plan.js';
import { captionOf, messageOf } from './facebook-rules.js';

/** Facebook gives times in whole seconds, and clocks differ. */
const CLOCK_SKEW_MS = 2_000;
/** The largest list of a feed. */
const NEWEST = '100';
const FIELDS =
  'id,message,created_time,permalink_url,from{id},attachments{unshimmed_url,target{id},subattachments{target{id}}}';

interface ShownPost {
  readonly id: string;
  readonly message: string;
  readonly createdAt: number;
  readonly permalink: string | null;
  /** Ids of its photos, in any order. */
  readonly photos: readonly string[];
  readonly links: readonly string[];
}

/**
 * Finds an attempt in the feed of the page (developers.facebook.com/docs/graph-api/reference/page/feed, read 2026-11-21). Facebook ranks
 * and bounds the feed and shows posts with delay: not finding a post proves nothing.
 */
@Injectable()
export class FacebookFeed {
  constructor(
    private readonly http: OutboundHttp,
    private readonly calls: FacebookCalls,
  ) {}

  async find(request: ReconcileRequest): Promise<NetworkSearch> {
    const { account, accessToken, since } = request;
    const from = Math.floor((Date.parse(since) - CLOCK_SKEW_MS) / 1000);
    const query = { fields: FIELDS, since: String(from), limit: NEWEST };
    const response = await this.http.send(graphGet(this.calls.page(request, 'feed'), accessToken, query));
    const found = postsIn(bodyIn(response), account.accountId).filter((post) => isAttempt(post, request));
    if (found.length === 0) return { kind: 'unknown' };
    return { kind: 'found', posts: found.map((post) => this.foundPost(post, request)) };
  }

  /** A photo was uploaded for one post of this product: a post that shows it is of no other attempt. */
  private foundPost(post: ShownPost, request: ReconcileRequest): FoundPost {
    const isOwn = uploadedFor(request) !== null;
    return {
      platformPostId: post.id,
      platformPostUrl: post.permalink ?? this.calls.permalink(post.id),
      mayBeOf: (attempt) => !isOwn && mayBeOf(post, attempt),
    };
  }
}

/** Posts of the page itself; visitors write to its feed too. */
function postsIn(body: unknown, pageId: string): ShownPost[] {
  return dataOf(body)
    .filter((post) => graphIdIn(memberOf(post, 'from', 'id')) === pageId)
    .flatMap((post) => shownPost(post) ?? []);
}

function shownPost(post: unknown): ShownPost | null {
  const id = graphIdIn(memberOf(post, 'id'));
  const [message, at] = [memberOf(post, 'message') ?? '', memberOf(post, 'created_time')];
  if (id === null || typeof message !== 'string' || typeof at !== 'string') return null;
  const attachments = dataOf(memberOf(post, 'attachments'));
  const nested = attachments.flatMap((each) => dataOf(memberOf(each, 'subattachments')));
  return {
    id,
    message: message.normalize('NFC').trim(),
    createdAt: Date.parse(at),
    permalink: addressIn(memberOf(post, 'permalink_url')),
    photos: [...attachments, ...nested].flatMap((each) => graphIdIn(memberOf(each, 'target', 'id')) ?? []),
    links: attachments.flatMap((each) => addressIn(memberOf(each, 'unshimmed_url')) ?? []),
  };
}

const dataOf = (value: unknown): readonly unknown[] => listIn(memberOf(value, 'data'));

/** Not older than the attempt, and the same photos; where these are not known, the same text. */
function isAttempt(post: ShownPost, request: ReconcileRequest): boolean {
  const { content, since } = request;
  if (isOlder(post, since)) return false;
  const uploaded = uploadedFor(request);
  if (uploaded !== null) return uploaded.every((id) => post.photos.includes(id));
  // Without its text, a post with files is like every other one with as many files.
  if (content.mediaIds.length > 0) return captionOf(content) !== '' && post.message === captionOf(content);
  return mayBeOf(post, { content, since });
}

/** Ids of the photos of the attempt; null: it has none, or they are not known. */
function uploadedFor({ content, prepared }: ReconcileRequest): string[] | null {
  if (content.mediaIds.length === 0 || prepared === null) return null;
  return photosOf({ ...prepared, ageMs: 0 }, content.mediaIds.length);
}

/** The same text, and not older than the attempt. Without a text, the same link. */
function mayBeOf(post: ShownPost, { content, since }: AttemptOnNetwork): boolean {
  if (isOlder(post, since)) return false;
  const message = messageOf(content);
  if (message !== '') return post.message === message || post.message === captionOf(content);
  const link = addressIn(content.link);
  return link !== null && (post.links.includes(link) || post.message === captionOf(content));
}

/** A post without a readable time counts as older. */
const isOlder = ({ createdAt }: ShownPost, since: Instant): boolean =>
  !(createdAt >= Date.parse(since) - CLOCK_SKEW_MS);
