import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { DeliveryFile, MediaKind } from '#libs/content';
import {
  multipartBody,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
} from '#libs/outbound-http';
import type { PrepareCall, PrepareResponse } from '../../domain/provider-publishing.js';
import { FAILURES, refusedHere } from '../failures.js';
import { FilePart, missingFile, uploadResponseOf } from '../file-part.js';
import { prepareResponseOf, type ResponseReader } from '../network-responses.js';
import * as plan from './x-media-plan.js';
import { altTextOf, type MediaStep } from './x-media-plan.js';
import { isXError, readXError } from './x-errors.js';
import { classifyMediaRefusal, isInconclusive, processed, uploaded, uploadIn } from './x-media-responses.js';
import { MAX_SEGMENTS, SEGMENT_BYTES } from './x-limits.js';
import { waitIn } from './x-values.js';
import { XConfig } from './x.config.js';

const CATEGORIES: Readonly<Record<MediaKind, string>> = {
  image: 'tweet_image',
  animation: 'tweet_gif',
  video: 'tweet_video',
};

/** X joins all segments in this call. */
const FINALIZE_TIMEOUT_MS = 60_000;
/** Before X is asked what became of a finalization whose response was lost. */
const CONFIRM_AFTER_MS = 5_000;

/**
 * Uploads the files of a post, one after the other, in segments (docs.x.com, "Chunked media upload"): initialize, append, finalize,
 * then status until the file is processed; at last the descriptions. Every step may be repeated: a segment replaces itself. X does not
 * document what a repeated finalization does, so after a lost response the status is asked first.
 */
@Injectable()
export class XMediaUpload {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
    private readonly clock: Clock,
  ) {}

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    const { files, content, prepared } = call;
    const step = plan.stepOf(call.step);
    const file = files[step.file];
    if (!file || files.length < content.mediaIds.length) return Promise.resolve(missingFile);
    const expired = plan.expiredFile(prepared, files);
    if (expired !== null && !(step.call === 'initialize' && step.file === expired))
      return Promise.resolve(plan.next({ call: 'initialize', file: expired }));
    switch (step.call) {
      case 'initialize':
        return this.initialize(call, file, step.file);
      case 'append':
        return this.append(call, file, step);
      case 'finalize':
      case 'finalize-again':
        return this.finalize(call, step.file, step.call);
      case 'confirm':
      case 'status':
        return this.status(call, step.file, step.call);
      case 'describe':
        return this.describe(call, file, step.file);
    }
  }

  private async initialize(call: PrepareCall, file: DeliveryFile, index: number): Promise<PrepareResponse> {
    if (file.bytes > MAX_SEGMENTS * SEGMENT_BYTES) return refusedHere('X', FAILURES.mediaTooLarge);
    const response = await this.json(call, '/2/media/upload/initialize', {
      media_type: file.contentType,
      total_bytes: file.bytes,
      media_category: CATEGORIES[file.kind],
    });
    return prepareResponseOf(this.reader('initialize'), response, ({ body }) => {
      const upload = uploadIn(body);
      if (upload === null) return null;
      const step = plan.stepName({ call: 'append', file: index, segment: 0, bytes: file.bytes });
      return { kind: 'next', step, ...plan.begun(call.prepared, index, upload) };
    });
  }

  private async append(
    call: PrepareCall,
    file: DeliveryFile,
    step: MediaStep & { call: 'append' },
  ): Promise<PrepareResponse> {
    const bounds = plan.segmentOf(file, step.segment);
    // The segments so far are of another rendition.
    if (step.bytes !== file.bytes || bounds === null)
      return plan.next({ call: 'initialize', file: step.file });
    const part = new FilePart(file, bounds.start, bounds.end);
    const { contentType, body } = multipartBody(
      { segment_index: String(step.segment) },
      {
        field: 'media',
        fileName: 'segment',
        contentType: 'application/octet-stream',
        length: part.length,
        open: () => part.read(),
      },
    );
    const url = this.uploadUrl(call, step.file, 'append');
    const headers = { 'content-type': contentType };
    const response = await this.send(call, { method: 'POST', url, headers, body });
    return uploadResponseOf(this.reader('append'), part, response, () => {
      const segment = step.segment + 1;
      return plan.next(
        plan.segmentOf(file, segment) ? { ...step, segment } : { call: 'finalize', file: step.file },
      );
    });
  }

  private async finalize(
    call: PrepareCall,
    file: number,
    step: 'finalize' | 'finalize-again',
  ): Promise<PrepareResponse> {
    const url = this.uploadUrl(call, file, 'finalize');
    const response = await this.send(call, { method: 'POST', url, timeoutMs: FINALIZE_TIMEOUT_MS });
    // The first finalization may have succeeded; if not, X refuses the id with the post.
    if (
      step === 'finalize-again' &&
      response.kind === 'answered' &&
      response.status === 400 &&
      isXError(response)
    )
      return uploaded(call, file);
    const result = prepareResponseOf(this.reader(step), response, ({ body }) => processed(body, call, file));
    const isLost = result.kind === 'no-answer' && response.kind !== 'not-sent';
    return isLost ? plan.wait({ call: 'confirm', file }, CONFIRM_AFTER_MS) : result;
  }

  private async status(
    call: PrepareCall,
    file: number,
    step: 'confirm' | 'status',
  ): Promise<PrepareResponse> {
    const id = plan.uploadOf(call.prepared, file) ?? '';
    const query = new URLSearchParams({ command: 'STATUS', media_id: id });
    const url = `${this.config.apiUrl}/2/media/upload?${query.toString()}`;
    const response = await this.send(call, { method: 'GET', url });
    if (step === 'confirm' && isInconclusive(response)) return plan.next({ call: 'finalize-again', file });
    return prepareResponseOf(this.reader(step), response, ({ body }) => processed(body, call, file));
  }

  private async describe(call: PrepareCall, file: DeliveryFile, index: number): Promise<PrepareResponse> {
    const text = altTextOf(file);
    const following = plan.describeFrom(call.files, index + 1);
    if (text === null) return following;
    const id = plan.uploadOf(call.prepared, index);
    const response = await this.json(call, '/2/media/metadata', { id, metadata: { alt_text: { text } } });
    return prepareResponseOf(this.reader('describe'), response, () => following);
  }

  private json(call: PrepareCall, path: string, body: object): Promise<OutboundResponse> {
    const headers = { 'content-type': 'application/json' };
    const url = this.config.apiUrl + path;
    return this.send(call, { method: 'POST', url, headers, body: JSON.stringify(body) });
  }

  private send({ accessToken }: PrepareCall, request: OutboundRequest): Promise<OutboundResponse> {
    const headers = { ...request.headers, authorization: `Bearer ${accessToken}` };
    return this.http.send({ ...request, headers });
  }

  private uploadUrl({ prepared }: PrepareCall, file: number, command: string): string {
    const id = plan.uploadOf(prepared, file) ?? '';
    return `${this.config.apiUrl}/2/media/upload/${encodeURIComponent(id)}/${command}`;
  }

  private reader(step: MediaStep['call']): ResponseReader {
    return {
      displayName: 'X',
      readingsIn: () => [],
      isOwnError: isXError,
      classify: ({ status, headers, body }) =>
        classifyMediaRefusal(readXError(status, body), step, waitIn(headers, this.clock.now())),
    };
  }
}
