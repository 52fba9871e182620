import { Injectable } from '@nestjs/common';
import type { AttemptOnNetwork, FoundPost, NetworkSearch } from '../../domain/delivery-outcome.js';
import { OutboundHttp } from '../../outbound/outbound-http.js';
import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { postUrl } from './x-api.js';
import { textOf } from './x-text.js';
import { idIn } from './x-values.js';
import { XConfig } from './x.config.js';

interface TimelinePost {
  readonly id: string;
  readonly text: string;
  readonly created_at?: string;
  readonly entities?: { readonly urls?: readonly { readonly url: string; readonly expanded_url?: string }[] };
  readonly referenced_tweets?: readonly { readonly type: string; readonly id: string }[];
}

/**
 * X gives times in whole seconds, and clocks differ. An older post of the same text may be another one: taking it for the attempt's
 * would lose a post; the opposite error asks a person.
 */
const CLOCK_SKEW_MS = 2_000;
/** The largest page of GET /2/users/:id/tweets. An account with more posts since the attempt yields no evidence, never false evidence. */
const NEWEST = 100;

/** Finds an attempt among the account's newest posts. Not finding it proves nothing: X shows posts with delay. */
@Injectable()
export class XTimeline {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
  ) {}

  async find(request: ReconcileRequest): Promise<NetworkSearch> {
    const { account } = request;
    const response = await this.http.send({
      method: 'GET',
      url: `${this.config.apiUrl}/2/users/${encodeURIComponent(account.accountId)}/tweets?${query()}`,
      headers: { authorization: `Bearer ${request.accessToken}` },
    });
    if (response.kind !== 'answered' || response.status !== 200) return { kind: 'unknown' };
    const found = postsIn(response.body).filter((post) => isAttempt(post, request));
    if (found.length === 0) return { kind: 'unknown' };
    return { kind: 'found', posts: found.map((post) => this.foundPost(post, account.username)) };
  }

  private foundPost(post: TimelinePost, username: string): FoundPost {
    const platformPostUrl = postUrl(this.config.webUrl, username, post.id);
    return { platformPostId: post.id, platformPostUrl, mayBeOf: (attempt) => mayBeOf(post, attempt) };
  }
}

function query(): string {
  return new URLSearchParams({
    max_results: String(NEWEST),
    'tweet.fields': 'created_at,entities,referenced_tweets',
  }).toString();
}

function postsIn(body: unknown): TimelinePost[] {
  const posts = (body as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(posts)) return [];
  return (posts as (Partial<TimelinePost> | null)[]).filter(
    (post): post is TimelinePost => idIn(post?.id) !== null && typeof post?.text === 'string',
  );
}

/** The same text, the same parent, and not older than the attempt. */
export function isAttempt(post: TimelinePost, { content, since }: ReconcileRequest): boolean {
  const parent = post.referenced_tweets?.find(({ type }) => type === 'replied_to')?.id ?? null;
  return parent === content.replyTo && mayBeOf(post, { content, since });
}

/** The same text, and not older than the attempt. */
function mayBeOf(post: TimelinePost, { content, since }: AttemptOnNetwork): boolean {
  if (!post.created_at || Date.parse(post.created_at) < Date.parse(since) - CLOCK_SKEW_MS) return false;
  return schemeless(plain(post)) === schemeless(textOf(content).trim());
}

/** The text as it was sent: X shows links as t.co and escapes three characters for HTML. */
function plain({ text, entities }: TimelinePost): string {
  const withLinks = (entities?.urls ?? []).reduce(
    (shown, { url, expanded_url }) => (expanded_url ? shown.replaceAll(url, () => expanded_url) : shown),
    text,
  );
  const unescaped = withLinks.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return unescaped.normalize('NFC').trim();
}

/** X writes a scheme in front of links that had none. */
function schemeless(text: string): string {
  return text.replaceAll(/https?:\/\//g, '');
}
