import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import type { AttemptOnNetwork, FoundPost, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { listIn, bodyIn, memberOf } from '../values.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { publishedPost } from './linkedin-errors.js';
import { mediaUrnsOf } from './linkedin-media-plan.js';
import { articleOf, commentaryOf } from './linkedin-text.js';
import { postUrnIn } from './linkedin-values.js';
import type { Variant } from './linkedin-variants.js';
import { LinkedInConfig } from './linkedin.config.js';

interface FeedPost {
  readonly urn: string;
  readonly commentary: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly article: string | null;
  readonly media: readonly string[];
}

/** Clocks differ. An older post of the same text may be another one: taking it for the attempt's would lose a post. */
const CLOCK_SKEW_MS = 2_000;
/** The largest page. An account with more posts since the attempt yields no evidence, never false evidence. */
const NEWEST = 100;

/**
 * Finds an attempt among the newest posts of an organization: GET /rest/posts?q=author
 * (learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api, "Find posts by authors"). Not finding it proves
 * nothing: LinkedIn shows posts with delay.
 */
@Injectable()
export class LinkedInFeed {
  constructor(
    private readonly calls: LinkedInCalls,
    private readonly config: LinkedInConfig,
  ) {}

  async find(variant: Variant, request: ReconcileRequest): Promise<NetworkSearch> {
    if (!variant.canRead) return { kind: 'unknown' };
    const author = encodeURIComponent(variant.authorOf(request.account.accountId));
    const path = `/rest/posts?author=${author}&q=author&count=${NEWEST}&sortBy=CREATED`;
    const response = await this.calls.get(request.accessToken, path, { 'x-restli-method': 'FINDER' });
    const found = postsIn(bodyIn(response)).filter((post) => isAttempt(post, request));
    if (found.length === 0) return { kind: 'unknown' };
    return { kind: 'found', posts: found.map((post) => this.foundPost(post)) };
  }

  /** An upload belongs to one post of this product: a post that shows it is of no other attempt. */
  private foundPost(post: FeedPost): FoundPost {
    return {
      ...publishedPost(post.urn, this.config.webUrl),
      mayBeOf: (attempt) => post.media.length === 0 && mayBeOf(post, attempt),
    };
  }
}

const postsIn = (body: unknown): FeedPost[] => listIn(memberOf(body, 'elements')).flatMap(postIn);

/** A post without a time counts as older than every attempt. */
function postIn(element: unknown): FeedPost[] {
  const [urn, commentary] = [postUrnIn(memberOf(element, 'id')), memberOf(element, 'commentary')];
  const createdAt = memberOf(element, 'createdAt');
  const content = memberOf(element, 'content');
  const media = [
    memberOf(content, 'media', 'id'),
    ...listIn(memberOf(content, 'multiImage', 'images')).map((image) => memberOf(image, 'id')),
  ].filter((id) => typeof id === 'string');
  const article = memberOf(content, 'article', 'source');
  if (urn === null || typeof commentary !== 'string' || typeof createdAt !== 'number') return [];
  return [{ urn, commentary, createdAt, article: typeof article === 'string' ? article : null, media }];
}

/** The files of the attempt; without files the same text and card. Not older than the attempt. */
export function isAttempt(post: FeedPost, { content, prepared, since }: ReconcileRequest): boolean {
  if (isOlder(post, since)) return false;
  const count = content.mediaIds.length;
  const sent = prepared && mediaUrnsOf(prepared, count);
  if (count > 0 && sent) return sent.join() === post.media.join();
  const article = articleOf(content, count)?.source ?? null;
  // Without its text, a post with files is like every other one with as many files.
  const isTold = count === 0 || content.text.trim() !== '';
  const isSameShape = post.media.length === count && post.article === article;
  return isTold && isSameShape && isSameText(post, commentaryOf(content, count));
}

/** Another attempt of the same text; its title is not known here, so a link may be a card or part of the text. */
function mayBeOf(post: FeedPost, { content, since }: AttemptOnNetwork): boolean {
  const texts = [commentaryOf({ ...content, title: null }, 0), commentaryOf({ ...content, link: null }, 0)];
  return !isOlder(post, since) && texts.some((text) => isSameText(post, text));
}

/** LinkedIn may return fewer escapes than it was sent. */
const isSameText = ({ commentary }: FeedPost, sent: string): boolean => plain(commentary) === plain(sent);

const plain = (little: string): string => little.replaceAll(/\\(.)/gs, '$1').normalize('NFC').trim();

const isOlder = ({ createdAt }: FeedPost, since: Instant): boolean =>
  createdAt < Date.parse(since) - CLOCK_SKEW_MS;
