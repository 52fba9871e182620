import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import type {
  PrepareCall,
  PrepareResponse,
  CommitCall,
  CommitResponse,
} from '../../domain/provider-publishing.js';
import { altTextOf } from '../file-labels.js';
import { missingFile } from '../file-part.js';
import { graphPost, graphIdIn } from '../graph/graph-wire.js';
import { prepareResponseOf, commitResponseOf } from '../network-responses.js';
import { memberOf } from '../values.js';
import { FacebookCalls } from './facebook-calls.js';
import { MAX_ALT_TEXT } from './facebook-limits.js';
import { afterPhoto, storedPhoto, photosOf } from './facebook-plan.js';
import { filesExpired, refusalWithFiles } from './facebook-errors.js';
import { captionOf, messageOf } from './facebook-rules.js';

/** Facebook fetches the photo during this call. */
const FETCH_TIMEOUT_MS = 60_000;

/**
 * Uploads the photos of a post, unpublished, by their addresses (developers.facebook.com/docs/graph-api/reference/page/photos, read
 * 2026-11-21). A repeat uploads a photo that no post shows; Facebook deletes it after about a day.
 */
@Injectable()
export class FacebookPhotos {
  constructor(
    private readonly http: OutboundHttp,
    private readonly calls: FacebookCalls,
  ) {}

  async upload(call: PrepareCall, index: number): Promise<PrepareResponse> {
    const file = call.files[index];
    if (!file) return missingFile;
    const altText = altTextOf(file, MAX_ALT_TEXT);
    const request = graphPost(this.calls.page(call, 'photos'), call.accessToken, {
      url: file.address(),
      published: 'false',
      ...(altText !== null && { alt_text_custom: altText }),
    });
    const response = await this.http.send({ ...request, timeoutMs: FETCH_TIMEOUT_MS });
    return prepareResponseOf(this.calls.reader(), response, ({ body }) => {
      const id = graphIdIn(memberOf(body, 'id'));
      return id === null
        ? null
        : { ...afterPhoto(index, call.files), ...storedPhoto(call.prepared, index, id) };
    });
  }
}

/** POST /feed (developers.facebook.com/docs/graph-api/reference/page/feed, read 2026-11-21). Facebook knows no idempotency keys. */
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
