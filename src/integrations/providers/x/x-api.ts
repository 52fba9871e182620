import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import type { PublishedPost } from '../../domain/delivery-outcome.js';
import type { Account, CommitCall, NetworkResponse } from '../../domain/provider-publishing.js';
import { isMadeWithAi } from '../file-labels.js';
import { memberOf } from '../values.js';
import { textOf } from './x-rules.js';
import { idIn } from './x-values.js';
import { XConfig } from './x.config.js';

/** Creating posts (docs.x.com, POST /2/tweets). */
@Injectable()
export class XApi {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
  ) {}

  /** One call, never repeated here. X knows no idempotency keys. */
  createPost(call: CommitCall, mediaIds: readonly string[]): Promise<OutboundResponse> {
    const { replyTo, options } = call.content;
    const text = textOf(call.content);
    const body = {
      // X refuses an empty text.
      ...((text !== '' || mediaIds.length === 0) && { text }),
      ...(replyTo && { reply: { in_reply_to_tweet_id: replyTo } }),
      ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
      ...(isMadeWithAi(call.content, call.files) && { made_with_ai: true }),
      ...(options.promotion === 'paid-partnership' && { paid_partnership: true }),
    };
    return this.http.send({
      method: 'POST',
      url: `${this.config.apiUrl}/2/tweets`,
      headers: { authorization: `Bearer ${call.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      maySend: call.maySend,
    });
  }

  postIn({ body }: NetworkResponse, { username }: Account): PublishedPost | null {
    const id = idIn(memberOf(body, 'data', 'id'));
    if (id === null) return null;
    return { platformPostId: id, platformPostUrl: postUrl(this.config.webUrl, username, id) };
  }
}

export function postUrl(site: string, username: string, id: string): string {
  return `${site}/${encodeURIComponent(username)}/status/${encodeURIComponent(id)}`;
}
