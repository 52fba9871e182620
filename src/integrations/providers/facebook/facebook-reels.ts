import { Injectable } from '@nestjs/common';
import type { DeliveryFile } from '#libs/content';
import { OutboundHttp } from '#libs/outbound-http';
import type {
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
} from '../../domain/provider-publishing.js';
import { isMadeWithAi } from '../file-labels.js';
import { FilePart, uploadResponseOf } from '../file-part.js';
import { graphGet, graphPost, graphIdIn } from '../graph/graph-wire.js';
import { commitResponseOf, prepareResponseOf } from '../network-responses.js';
import { addressIn, memberOf } from '../values.js';
import { FacebookCalls } from './facebook-calls.js';
import { captionOf } from './facebook-rules.js';
import * as plan from './facebook-plan.js';
import { acceptedIn, videoRefusal } from './facebook-videos.js';

/** Start, bytes from an offset, finish, which publishes (developers.facebook.com/docs/video-api/guides/reels-publishing, 2026-08-24). */
@Injectable()
export class FacebookReels {
  constructor(
    private readonly http: OutboundHttp,
    private readonly calls: FacebookCalls,
  ) {}

  async start(call: PrepareCall): Promise<PrepareResponse> {
    const url = this.calls.page(call, 'video_reels');
    const request = graphPost(url, call.accessToken, { upload_phase: 'start' });
    return prepareResponseOf(this.calls.reader(), await this.http.send(request), ({ body }) => {
      const id = graphIdIn(memberOf(body, 'video_id'));
      const address = addressIn(memberOf(body, 'upload_url'));
      if (id === null || address === null || !this.calls.isUploadAddress(address)) return null;
      return {
        ...plan.next({ call: 'send-reel' }),
        ...plan.startedVideo(id, null),
        addresses: { upload: address },
      };
    });
  }

  /** Asks first: an attempt before may have sent a part of the bytes. */
  async send(call: PrepareCall, file: DeliveryFile): Promise<PrepareResponse> {
    const { id } = plan.videoOf(call.prepared) ?? {};
    const address = call.prepared.addresses.upload;
    if (id === undefined || address === undefined) return plan.next({ call: 'start-reel' });
    const request = graphGet(this.calls.object(id), call.accessToken, { fields: 'status' });
    const status = await this.http.send(request);
    let sent = -1;
    const asked = prepareResponseOf(this.calls.reader(videoRefusal), status, ({ body }) => {
      sent = sentIn(body);
      return { kind: 'ready' };
    });
    if (asked.kind !== 'ready' || sent === file.bytes) return asked;
    // More than the file has: the bytes so far are of another rendition.
    return sent > file.bytes ? plan.next({ call: 'start-reel' }) : this.sendFrom(call, file, address, sent);
  }

  async finish(call: CommitCall, videoId: string): Promise<CommitResponse> {
    const { content } = call;
    const description = captionOf(content);
    const request = graphPost(this.calls.page(call, 'video_reels'), call.accessToken, {
      upload_phase: 'finish',
      video_id: videoId,
      video_state: 'PUBLISHED',
      ...(description !== '' && { description }),
      ...(content.title && { title: content.title }),
      ...(isMadeWithAi(content, call.files) && { is_ai_generated: 'true' }),
    });
    const response = await this.http.send({ ...request, maySend: call.maySend });
    return commitResponseOf(this.calls.reader(videoRefusal), response, ({ body }) => acceptedIn(body));
  }

  /** The header is `OAuth`, not `Bearer`, on this host. */
  private async sendFrom(
    { accessToken }: PrepareCall,
    file: DeliveryFile,
    address: string,
    offset: number,
  ): Promise<PrepareResponse> {
    const part = new FilePart(file, offset, file.bytes);
    const headers = {
      authorization: `OAuth ${accessToken}`,
      offset: String(offset),
      file_size: String(file.bytes),
      'content-type': 'application/octet-stream',
    };
    const body = { length: part.length, open: () => part.read() };
    const response = await this.http.send({ method: 'POST', url: address, headers, body });
    return uploadResponseOf(this.calls.reader(videoRefusal), part, response, ({ body: answer }) =>
      memberOf(answer, 'success') === true ? { kind: 'ready' } : null,
    );
  }
}

/** Bytes that Facebook has. `bytes_transfered` is its spelling. */
function sentIn(body: unknown): number {
  const phase = memberOf(body, 'status', 'uploading_phase');
  const sent = memberOf(phase, 'bytes_transfered') ?? memberOf(phase, 'bytes_transferred');
  return typeof sent === 'number' && Number.isSafeInteger(sent) && sent > 0 ? sent : 0;
}
