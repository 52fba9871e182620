import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { NetworkSearch } from '../../domain/delivery-outcome.js';
import type { Prepared, ReconcileRequest } from '../../domain/provider-publishing.js';
import { failureOf } from '../failures.js';
import { mayStillRun } from '../network-responses.js';
import { TikTokApi } from './tiktok-api.js';
import { failedBecause } from './tiktok-errors.js';
import { sentToInbox } from './tiktok-failures.js';
import { dataIn, errorCodeIn, postIdIn, wordIn } from './tiktok-values.js';
import { TikTokConfig } from './tiktok.config.js';
import { listIn } from '../values.js';

/** "512 MB: less than half a minute", "4 GB: more than two minutes" (content-posting-api-reference-get-video-status). */
export const FIRST_STATUS_AFTER_MS = 10_000;
const NEXT_STATUS_AFTER_MS = 20_000;
/** The limit is 30 requests a minute. */
const LIMITED_MS = 60_000;

type Data = Readonly<Record<string, unknown>>;

/**
 * Whether TikTok has published a post: content-posting-api-reference-get-video-status (developers.tiktok.com/doc, read 2026-11-21).
 * Without a publish id there is nothing to ask for: these scopes do not list posts.
 */
@Injectable()
export class TikTokStatus {
  constructor(
    private readonly api: TikTokApi,
    private readonly config: TikTokConfig,
    private readonly clock: Clock,
  ) {}

  async find(request: ReconcileRequest): Promise<NetworkSearch> {
    const { accessToken, prepared } = request;
    const publishId = prepared?.ids.publish;
    if (prepared === null || publishId === undefined) return { kind: 'unknown' };
    const response = await this.api.status(accessToken, publishId);
    if (response.kind !== 'answered') return { kind: 'unknown' };
    if (response.status === 429 || errorCodeIn(response.body) === 'rate_limit_exceeded')
      return { kind: 'pending', milliseconds: LIMITED_MS };
    const data = response.status === 200 ? dataIn(response.body) : null;
    return data === null ? { kind: 'unknown' } : this.read(data, { ...request, prepared }, publishId);
  }

  private read(
    data: Data,
    request: ReconcileRequest & { readonly prepared: Prepared },
    publishId: string,
  ): NetworkSearch {
    switch (data.status) {
      case 'PUBLISH_COMPLETE':
        return { kind: 'found', posts: [this.postIn(data, request.account.username, publishId)] };
      case 'PROCESSING_UPLOAD':
        return lacksBytes(data, request.prepared) && !mayStillRun(request, this.clock)
          ? { kind: 'not-delivered' }
          : pending;
      case 'PROCESSING_DOWNLOAD':
        return pending;
      case 'FAILED':
        return { kind: 'refused', failure: failedBecause(wordIn(data.fail_reason)) };
      case 'SEND_TO_USER_INBOX':
        return { kind: 'refused', failure: failureOf('TikTok', 'SEND_TO_USER_INBOX', sentToInbox) };
      default:
        // TikTok has the post in a state that is not known here.
        return wordIn(data.status) === null ? { kind: 'unknown' } : pending;
    }
  }

  /** TikTok names no post while it is moderated, and never a private one: then the publish id is the id. */
  private postIn({ publicaly_available_post_id: ids }: Data, username: string, publishId: string) {
    const postId = postIdIn(listIn(ids)[0]);
    const profile = `${this.config.webUrl}/@${encodeURIComponent(username)}`;
    return {
      platformPostId: postId ?? publishId,
      platformPostUrl:
        postId === null ? profile : `${profile}/${publishId.startsWith('p_') ? 'photo' : 'video'}/${postId}`,
      // The publish id belongs to this attempt only.
      mayBeOf: () => false,
    };
  }
}

const pending: NetworkSearch = { kind: 'pending', milliseconds: NEXT_STATUS_AFTER_MS };

/** The last part has not arrived: without it nothing is published. Once TikTok has confirmed it, the count is late. */
function lacksBytes({ uploaded_bytes: sent }: Data, { ids, notes }: Prepared): boolean {
  if (ids.committed !== undefined) return false;
  const bytes = Number(notes.bytes);
  return typeof sent === 'number' && Number.isSafeInteger(bytes) && sent < bytes;
}
