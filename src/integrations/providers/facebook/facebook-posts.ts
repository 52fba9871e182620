import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import type { CommitCall, CommitResponse } from '../../domain/provider-publishing.js';
import { graphPost } from '../graph/graph-calls.js';
import { graphIdIn } from '../graph/graph-values.js';
import { commitResponseOf } from '../network-responses.js';
import { memberOf } from '../values.js';
import { FacebookCalls } from './facebook-calls.js';
import { filesExpired, refusalWithFiles } from './facebook-errors.js';
import { photosOf } from './facebook-plan.js';
import { captionOf, messageOf } from './facebook-text.js';

/**
 * Creates a post in the feed of a page (developers.facebook.com/docs/graph-api/reference/page/feed and
 * /documentation/pages-api/posts, read 2026-11-21). Facebook knows no idempotency keys.
 */
@Injectable()
export class FacebookPosts {
  constructor(
    private readonly http: OutboundHttp,
    private readonly calls: FacebookCalls,
  ) {}

  async create(call: CommitCall): Promise<CommitResponse> {
    const { content, prepared, maySend } = call;
    const photos = photosOf(prepared, content.mediaIds.length);
    if (photos === null) return { kind: 'refused', refusal: filesExpired };
    const request = graphPost(this.calls.page(call, 'feed'), call.accessToken, fieldsOf(call, photos));
    const response = await this.http.send({ ...request, maySend });
    const refuse = photos.length > 0 ? refusalWithFiles : undefined;
    return commitResponseOf(this.calls.reader(refuse), response, ({ body }) => {
      const id = graphIdIn(memberOf(body, 'id'));
      return id === null ? null : { platformPostId: id, platformPostUrl: this.calls.permalink(id) };
    });
  }
}

function fieldsOf({ content }: CommitCall, photos: readonly string[]): Record<string, string> {
  const message = photos.length > 0 ? captionOf(content) : messageOf(content);
  const attached = photos.map((id, index): readonly [string, string] => [
    `attached_media[${index}]`,
    JSON.stringify({ media_fbid: id }),
  ]);
  return {
    ...(message !== '' && { message }),
    ...(photos.length === 0 && content.link && { link: content.link }),
    ...Object.fromEntries(attached),
  };
}
