import { Injectable } from '@nestjs/common';
import { type DeliveryFile, MediaIsMissing } from '#libs/content';
import { type ChannelCall, GatewayClient, type NewVideo, type UploadState } from '#libs/platform-client';
import type {
  CommitCall,
  CommitResponse,
  NetworkCall,
  PrepareCall,
  PrepareResponse,
} from '../../domain/provider-publishing.js';
import { isMadeWithAi } from '../file-labels.js';
import { FilePart, fileProblem, missingFile } from '../file-part.js';
import { isUnexplained, noProgress, uploadIsGone } from './youtube-errors.js';
import * as plan from './youtube-plan.js';
import type { UploadStep } from './youtube-plan.js';
import { commitOutcome, isUnanswered, stepOutcome } from './youtube-results.js';
import { descriptionOf, titleOf, isVideoId } from './youtube-rules.js';
import { YoutubeConfig } from './youtube.config.js';

/** How often the last bytes are sent on when YouTube took only some of them. */
const MAX_SENDS = 4;

/**
 * Uploads the video of a post through the provider gateway (developers.google.com/youtube/v3/guides/using_resumable_upload_protocol,
 * read 2026-11-21): begin, then parts. The upload publishes when its last byte arrives: that part is the irreversible call. A session
 * makes at most one video, so that a part may be sent again.
 */
@Injectable()
export class YoutubeUpload {
  constructor(
    private readonly gateway: GatewayClient,
    private readonly config: YoutubeConfig,
  ) {}

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    const step = plan.stepOf(call.step);
    const [file] = call.files;
    if (!file || call.files.length < call.content.mediaIds.length) return Promise.resolve(missingFile);
    // The parts so far are of another rendition, or there is none.
    const isOther = step.call !== 'begin' && step.total !== file.bytes;
    if (step.call === 'begin' || isOther || plan.uploadOf(call.prepared) === null)
      return this.begin(call, file);
    return step.call === 'probe' ? this.probe(call, step.total) : this.part(call, file, step);
  }

  async commit(call: CommitCall): Promise<CommitResponse> {
    const uploadId = plan.uploadOf(call.prepared);
    const last = plan.lastPart(call.prepared);
    const [file] = call.files;
    if (!file) return missingFile;
    if (uploadId === null || last?.total !== file.bytes) return { kind: 'refused', refusal: uploadIsGone };
    let { start } = last;
    for (let sends = 0; sends < MAX_SENDS; sends += 1) {
      const bytes = await bytesOf(file, start);
      if ('kind' in bytes) return bytes;
      const part = { uploadId, start, total: file.bytes, length: bytes.length, bytes, maySend: call.maySend };
      const sent = await this.gateway.sendPart(channelOf(call), part);
      if (sent.kind !== 'answered') return commitOutcome(sent);
      const { value } = sent;
      if (value.state === 'complete') return this.published(value.video.id);
      if (value.nextByte < last.start) return { kind: 'refused', refusal: uploadIsGone };
      if (value.nextByte <= start) break;
      start = value.nextByte;
    }
    return { kind: 'not-sent', failure: noProgress };
  }

  /** null: the gateway cannot tell. */
  async state(call: ChannelCall, uploadId: string): Promise<UploadState | null> {
    const result = await this.gateway.uploadState(call, uploadId);
    return result.kind === 'answered' ? result.value : null;
  }

  private published(id: string): CommitResponse {
    if (isVideoId(id)) return { kind: 'published', ...this.postOf(id) };
    return commitOutcome({ kind: 'no-answer', reason: 'unreadable-answer' });
  }

  postOf(id: string) {
    const platformPostUrl = `${this.config.webUrl}/watch?v=${encodeURIComponent(id)}`;
    return { platformPostId: id, platformPostUrl };
  }

  private async begin(call: PrepareCall, file: DeliveryFile): Promise<PrepareResponse> {
    const begun = await this.gateway.beginUpload(channelOf(call), videoOf(call, file));
    if (begun.kind !== 'answered') return stepOutcome(begun);
    return { ...plan.afterBytes(0, file.bytes), ids: { upload: begun.value.uploadId } } as PrepareResponse;
  }

  private async part(
    call: PrepareCall,
    file: DeliveryFile,
    step: UploadStep & { readonly start: number; readonly total: number },
  ): Promise<PrepareResponse> {
    const { start, total } = step;
    const end = plan.partEnd(start, total);
    if (end === null) return plan.afterBytes(start, total);
    const part = new FilePart(file, start, end);
    const sent = await this.gateway.sendPart(channelOf(call), {
      uploadId: plan.uploadOf(call.prepared) ?? '',
      start,
      total,
      length: part.length,
      bytes: () => part.read(),
    });
    if (sent.kind === 'refused' && step.call === 'part' && isUnexplained(sent))
      return plan.next({ call: 'probe', total });
    if (sent.kind !== 'answered') return (isUnanswered(sent) && part.problem) || stepOutcome(sent);
    return following(sent.value, total, start);
  }

  private async probe(call: PrepareCall, total: number): Promise<PrepareResponse> {
    const result = await this.gateway.uploadState(channelOf(call), plan.uploadOf(call.prepared) ?? '');
    if (result.kind !== 'answered') return stepOutcome(result);
    return following(result.value, total, null);
  }
}

/** @param start of the part that was sent; null: nothing was sent */
function following(state: UploadState, total: number, start: number | null): PrepareResponse {
  // An earlier attempt sent the last byte: `commit` gets the answer again.
  if (state.state === 'complete') return plan.afterBytes(total - 1, total);
  if (start !== null && state.nextByte <= start) return { kind: 'no-answer', failure: noProgress };
  return plan.afterBytes(state.nextByte, total, start === null ? 'resumed-part' : 'part');
}

export const channelOf = ({
  accessToken,
  organizationId,
}: Pick<NetworkCall, 'accessToken' | 'organizationId'>) => ({
  accessToken,
  organizationId,
});

function videoOf({ content }: NetworkCall, file: DeliveryFile): NewVideo {
  const { privacy, madeForKids = false, tags = [] } = content.options;
  return {
    title: titleOf(content),
    description: descriptionOf(content),
    tags,
    privacy: privacy === 'public' || privacy === 'unlisted' ? privacy : 'private',
    madeForKids,
    containsSyntheticMedia: isMadeWithAi(content, [file]),
    bytes: file.bytes,
    contentType: file.contentType,
  };
}

/** The bytes from `start` to the end of the file, in memory; or why the call was not made. */
async function bytesOf(file: DeliveryFile, start: number): Promise<Uint8Array | CommitResponse> {
  const part = new FilePart(file, start, file.bytes);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of part.read()) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof MediaIsMissing) return missingFile;
    return { kind: 'not-sent', failure: fileProblem };
  }
}
