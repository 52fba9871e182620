import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import type { PrepareCall, PrepareResponse } from '../../domain/provider-publishing.js';
import { altTextOf } from '../alt-text.js';
import { missingFile } from '../file-part.js';
import { graphPost } from '../graph/graph-calls.js';
import { graphIdIn } from '../graph/graph-values.js';
import { prepareResponseOf } from '../network-responses.js';
import { memberOf } from '../values.js';
import { FacebookCalls } from './facebook-calls.js';
import { MAX_ALT_TEXT } from './facebook-media-limits.js';
import { afterPhoto, storedPhoto } from './facebook-plan.js';

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
