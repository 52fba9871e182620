import { Injectable } from '@nestjs/common';
import type { DeliveryFile } from '#libs/content';
import { OutboundHttp, type OutboundRequest, type OutboundResponse } from '#libs/outbound-http';
import type { AccountFacts } from '../../domain/provider-grants.js';
import type { CommitCall, NetworkCall } from '../../domain/provider-publishing.js';
import type { FilePart } from '../file-part.js';
import { bearer } from './tiktok-creator.js';
import { photoInfo, videoInfo } from './tiktok-post-info.js';
import { factsIn, partsOf } from './tiktok-upload-plan.js';
import { TikTokConfig } from './tiktok.config.js';

/**
 * The content posting API: content-posting-api-reference-direct-post, -photo-post, -get-video-status and -media-transfer-guide
 * (developers.tiktok.com/doc, read 2026-11-21; the guide was updated 2026-08-04). Calls with a token are limited: 6 a minute to begin
 * a post, 30 a minute for the status.
 */
@Injectable()
export class TikTokApi {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: TikTokConfig,
  ) {}

  /** Begins the upload of a video. Publishes nothing before its last part. @param facts of the account now */
  beginVideo(call: NetworkCall, file: DeliveryFile, facts: AccountFacts): Promise<OutboundResponse> {
    const { size, count } = partsOf(file.bytes);
    const source = {
      source: 'FILE_UPLOAD',
      video_size: file.bytes,
      chunk_size: size,
      total_chunk_count: count,
    };
    return this.json(call.accessToken, '/v2/post/publish/video/init/', {
      post_info: videoInfo(call.content, file, facts),
      source_info: source,
    });
  }

  /** One call, never repeated here: TikTok fetches the photos and publishes them. It knows no idempotency keys. */
  publishPhotos(call: CommitCall): Promise<OutboundResponse> {
    const { accessToken, content, account, prepared, files, maySend } = call;
    const photos = files.map((file) => file.address());
    const body = {
      post_info: photoInfo(content, factsIn(prepared) ?? account.facts),
      source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: photos },
      post_mode: 'DIRECT_POST',
      media_type: 'PHOTO',
    };
    return this.json(accessToken, '/v2/post/publish/content/init/', body, maySend);
  }

  status(accessToken: string, publishId: string): Promise<OutboundResponse> {
    return this.json(accessToken, '/v2/post/publish/status/fetch/', { publish_id: publishId });
  }

  /** The address itself authorizes the upload. */
  sendPart(
    address: string,
    file: DeliveryFile,
    { start, end }: { readonly start: number; readonly end: number },
    part: FilePart,
    maySend?: () => boolean,
  ): Promise<OutboundResponse> {
    const request: OutboundRequest = {
      method: 'PUT',
      url: address,
      headers: {
        'content-type': file.contentType,
        'content-range': `bytes ${start}-${end - 1}/${file.bytes}`,
      },
      body: { length: part.length, open: () => part.read() },
      maySend,
    };
    return this.http.send(request);
  }

  /** An upload address of a response is used only when it is as secure as the API. */
  isUsable(address: string): boolean {
    return new URL(address).protocol === 'https:' || new URL(this.config.apiUrl).protocol === 'http:';
  }

  private json(
    accessToken: string,
    path: string,
    body: object,
    maySend?: () => boolean,
  ): Promise<OutboundResponse> {
    return this.http.send({
      method: 'POST',
      url: this.config.apiUrl + path,
      headers: { ...bearer(accessToken), 'content-type': 'application/json; charset=UTF-8' },
      body: JSON.stringify(body),
      maySend,
    });
  }
}
