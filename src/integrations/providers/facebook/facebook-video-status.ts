import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import type { NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { graphGet } from '../graph/graph-wire.js';
import { addressIn, bodyIn, memberOf, wordsIn } from '../values.js';
import { FacebookCalls } from './facebook-calls.js';
import { processingFailed } from './facebook-errors.js';

const LOOK_AGAIN_MS = 10_000;
/** UTF-16 units. */
const MAX_WORD = 50;
const FAILED = ['error', 'expired', 'upload_failed'];
/** Facebook has not taken the call that publishes, or does not show it yet. With other states, also ones that are not known, it has begun. */
const NOT_BEGUN = ['uploading', 'ready'];
const NOT_PUBLISHED = ['not_started', 'error'];

/** Facebook names the id of a video before it publishes: its state is evidence (docs/graph-api/reference/video, `status`, 2026-11-22). */
@Injectable()
export class FacebookVideoStatus {
  constructor(
    private readonly http: OutboundHttp,
    private readonly calls: FacebookCalls,
  ) {}

  async find({ accessToken }: ReconcileRequest, videoId: string): Promise<NetworkSearch> {
    const request = graphGet(this.calls.object(videoId), accessToken, { fields: 'status,permalink_url' });
    const response = await this.http.send(request);
    const body = bodyIn(response);
    const status = memberOf(body, 'status');
    const phase = (name: string) => wordsIn(memberOf(status, name, 'status'), MAX_WORD);
    const video = wordsIn(memberOf(status, 'video_status'), MAX_WORD);
    if (video === null) return { kind: 'unknown' };
    if (FAILED.includes(video) || phase('processing_phase') === 'error')
      return { kind: 'refused', failure: processingFailed(video).failure };
    const published = phase('publishing_phase');
    if (video === 'ready' && (published === 'complete' || published === null))
      return { kind: 'found', posts: [this.post(videoId, memberOf(body, 'permalink_url'))] };
    const isUnderway = !NOT_BEGUN.includes(video) || phase('processing_phase') === 'in_progress';
    const isPublishing = published !== null && !NOT_PUBLISHED.includes(published);
    return isUnderway || isPublishing
      ? { kind: 'pending', milliseconds: LOOK_AGAIN_MS }
      : { kind: 'unknown' };
  }

  /** An upload belongs to one post of this product. Facebook gives the address as a path. */
  private post(videoId: string, permalink: unknown) {
    const path = typeof permalink === 'string' && permalink.startsWith('/') ? permalink : '';
    const address = path === '' ? addressIn(permalink) : addressIn(this.calls.site + path);
    const platformPostUrl = address ?? this.calls.permalink(videoId);
    return { platformPostId: videoId, platformPostUrl, mayBeOf: () => false };
  }
}
