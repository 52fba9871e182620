import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import type { AttemptOnNetwork, FoundPost, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { bodyIn, memberOf } from '../values.js';
import { postUrl } from './x-api.js';
import { mediaKeysOf } from './x-media-plan.js';
import { textOf } from './x-rules.js';
import { idIn } from './x-values.js';
import { XConfig } from './x.config.js';

interface ShownUrl {
  readonly url: string;
  readonly expanded_url?: string;
  /** The address of a file of the post, which X appends to its text. */
  readonly media_key?: string;
}

interface TimelinePost {
  readonly id: string;
  readonly text: string;
  readonly created_at?: string;
  readonly entities?: { readonly urls?: readonly ShownUrl[] };
  readonly attachments?: { readonly media_keys?: readonly string[] };
  /** In responses to `post.fields`. */
  readonly referenced_posts?: readonly ReferencedPost[];
  /** In responses to `tweet.fields`. */
  readonly referenced_tweets?: readonly ReferencedPost[];
}

interface ReferencedPost {
  readonly type: string;
  readonly id: string;
}

/** Whole seconds, and clocks differ. Taking an older post of the same text for the attempt's would lose a post. */
const CLOCK_SKEW_MS = 2_000;
/** The largest page of GET /2/users/:id/tweets. An account with more posts since the attempt yields no evidence, never false evidence. */
const NEWEST = 100;
/** X's API file 2.168 (docs.x.com, read 2026-11-28): in it, the post that a reply is to is an expansion. */
const FIELDS = { 'post.fields': 'attachments,created_at,entities', expansions: 'referenced_posts.id' };
/** For an API that does not know these names: it refuses unknown parameters with 400. */
const FORMER_FIELDS = { 'tweet.fields': 'attachments,created_at,entities,referenced_tweets' };

/** Finds an attempt among the account's newest posts. Not finding it proves nothing: X shows posts with delay. */
@Injectable()
export class XTimeline {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
  ) {}

  async find(request: ReconcileRequest): Promise<NetworkSearch> {
    const response = await this.newest(request);
    const found = postsIn(bodyIn(response)).filter((post) => isAttempt(post, request));
    if (found.length === 0) return { kind: 'unknown' };
    return { kind: 'found', posts: found.map((post) => this.foundPost(post, request)) };
  }

  private async newest({ account, accessToken }: ReconcileRequest): Promise<OutboundResponse> {
    const url = `${this.config.apiUrl}/2/users/${encodeURIComponent(account.accountId)}/tweets`;
    const read = (fields: Readonly<Record<string, string>>) =>
      this.http.send({
        method: 'GET',
        url: `${url}?${new URLSearchParams({ max_results: String(NEWEST), ...fields }).toString()}`,
        headers: { authorization: `Bearer ${accessToken}` },
      });
    const response = await read(FIELDS);
    const isUnknown = response.kind === 'answered' && response.status === 400;
    return isUnknown ? read(FORMER_FIELDS) : response;
  }

  /** An upload belongs to one post of this product: a post that shows it is of no other attempt. */
  private foundPost(post: TimelinePost, request: ReconcileRequest): FoundPost {
    const platformPostUrl = postUrl(this.config.webUrl, request.account.username, post.id);
    const isOwn = uploadedFor(request) !== null;
    return {
      platformPostId: post.id,
      platformPostUrl,
      mayBeOf: (attempt) => !isOwn && mayBeOf(post, attempt),
    };
  }
}

function postsIn(body: unknown): TimelinePost[] {
  const posts = memberOf(body, 'data');
  if (!Array.isArray(posts)) return [];
  return (posts as (Partial<TimelinePost> | null)[]).filter(
    (post): post is TimelinePost => idIn(post?.id) !== null && typeof post?.text === 'string',
  );
}

/** The same parent, not older than the attempt, and the same files; where these are not known, as many files and the same text. */
export function isAttempt(post: TimelinePost, request: ReconcileRequest): boolean {
  const { content, since } = request;
  const references = post.referenced_posts ?? post.referenced_tweets;
  const parent = references?.find(({ type }) => type === 'replied_to')?.id ?? null;
  if (parent !== content.replyTo || isOlder(post, since)) return false;
  const shown = (post.attachments?.media_keys ?? []).map(numberOf);
  const uploaded = uploadedFor(request);
  if (uploaded !== null) return uploaded.join() === shown.join();
  // Without its text, a post with files is like every other one with as many files.
  const isTold = content.mediaIds.length === 0 || textOf(content).trim() !== '';
  return isTold && shown.length === content.mediaIds.length && mayBeOf(post, { content, since });
}

/** What the uploads of the attempt are called in media keys; null: it has none, or they are not known. */
function uploadedFor({ content, prepared }: ReconcileRequest): string[] | null {
  if (content.mediaIds.length === 0) return null;
  return mediaKeysOf(prepared, content.mediaIds.length)?.map(numberOf) ?? null;
}

/** In `3_1880028106020515840` the prefix tells the category, the number the file. */
const numberOf = (mediaKey: string): string => mediaKey.split('_').at(-1) ?? '';

/** The same text, and not older than the attempt. */
function mayBeOf(post: TimelinePost, { content, since }: AttemptOnNetwork): boolean {
  return !isOlder(post, since) && schemeless(plain(post)) === schemeless(textOf(content).trim());
}

/** A post without a time counts as older. */
function isOlder({ created_at: at }: TimelinePost, since: Instant): boolean {
  return !at || Date.parse(at) < Date.parse(since) - CLOCK_SKEW_MS;
}

/** The text as it was sent: X shows links as t.co, appends the address of files, and escapes three characters for HTML. */
function plain({ text, entities }: TimelinePost): string {
  const withLinks = (entities?.urls ?? []).reduce(
    (shown, { url, expanded_url, media_key }) =>
      shown.replaceAll(url, () => (media_key ? '' : (expanded_url ?? url))),
    text,
  );
  const unescaped = withLinks.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return unescaped.normalize('NFC').trim();
}

/** X writes a scheme in front of links that had none. */
function schemeless(text: string): string {
  return text.replaceAll(/https?:\/\//g, '');
}
