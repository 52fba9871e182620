import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { DeliveryFile } from '#libs/content';
import { OutboundHttp } from '#libs/outbound-http';
import type { PrepareCall, PrepareResponse } from '../../domain/provider-publishing.js';
import { FAILURES, refusal } from '../failures.js';
import { FilePart, missingFile, uploadResponseOf } from '../file-part.js';
import { prepareResponseOf, type ResponseReader } from '../network-responses.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { isLinkedInError, readLinkedInError } from './linkedin-errors.js';
import { classifyMediaRefusal, partIdIn, stateIn, uploadIn } from './linkedin-media-responses.js';
import * as plan from './linkedin-media-plan.js';
import type { MediaStep } from './linkedin-media-plan.js';
import { isPage } from '../values.js';
import { waitIn } from './linkedin-values.js';
import type { Variant } from './linkedin-variants.js';
import { LinkedInConfig } from './linkedin.config.js';

/** LinkedIn names no time for the next check. Images take seconds, videos minutes. */
const CHECK_AFTER_MS = { image: 2_000, animation: 2_000, video: 5_000 } as const;
/** Before LinkedIn is asked what became of a finalization whose response was lost. */
const CONFIRM_AFTER_MS = 5_000;
/** LinkedIn joins all parts in this call. */
const FINALIZE_TIMEOUT_MS = 60_000;
/** Hosts of LinkedIn to which bytes and the token may be sent. */
const LINKEDIN_HOST = /(^|\.)linkedin\.com$/;

/**
 * Uploads the files of a post, one after the other (learn.microsoft.com/linkedin/marketing/community-management/shares/images-api and
 * …/videos-api, read 2026-11-23): initializeUpload, PUT of the bytes, of videos in parts and finalizeUpload; then status until each is
 * processed. Every step may be repeated: a part replaces itself.
 */
@Injectable()
export class LinkedInMediaUpload {
  constructor(
    private readonly http: OutboundHttp,
    private readonly calls: LinkedInCalls,
    private readonly config: LinkedInConfig,
    private readonly clock: Clock,
  ) {}

  prepare(variant: Variant, call: PrepareCall): Promise<PrepareResponse> {
    const { files, content } = call;
    const step = plan.stepOf(call.step);
    const file = files[step.file];
    if (!file || files.length < content.mediaIds.length) return Promise.resolve(missingFile);
    switch (step.call) {
      case 'initialize':
        return this.initialize(variant, call, file, step.file);
      case 'upload':
        return this.upload(call, file, step);
      case 'finalize':
        return this.finalize(variant, call, step.file);
      case 'confirm':
      case 'status':
        return this.status(variant, call, file, step);
    }
  }

  private async initialize(
    variant: Variant,
    call: PrepareCall,
    file: DeliveryFile,
    index: number,
  ): Promise<PrepareResponse> {
    const owner = variant.authorOf(call.account.accountId);
    const ofVideo = { fileSizeBytes: file.bytes, uploadCaptions: false, uploadThumbnail: false };
    const initializeUploadRequest = file.kind === 'video' ? { owner, ...ofVideo } : { owner };
    const path = `${routeOf(file)}?action=initializeUpload`;
    const { accessToken } = call;
    const response = await this.calls.post({ accessToken, path, body: { initializeUploadRequest } });
    return prepareResponseOf(this.reader('initialize'), response, ({ body }) => {
      const upload = uploadIn(body, file, this.clock.now(), (url) => this.isTrusted(url));
      if (upload === null) return null;
      const step = plan.stepName({ call: 'upload', file: index, part: 0, bytes: file.bytes });
      return { kind: 'next', step, ...plan.begun(call.prepared, index, upload) };
    });
  }

  private async upload(
    call: PrepareCall,
    file: DeliveryFile,
    step: MediaStep & { call: 'upload' },
  ): Promise<PrepareResponse> {
    const bounds = plan.partOf(call.prepared, step.file, step.part);
    // The addresses have expired, or the parts so far are of another rendition.
    if (step.bytes !== file.bytes || bounds === null)
      return plan.next({ call: 'initialize', file: step.file });
    const part = new FilePart(file, bounds.start, bounds.end);
    const headers: Record<string, string> = { 'content-type': 'application/octet-stream' };
    // The addresses of parts of videos are signed; the one of an image needs the token.
    if (file.kind !== 'video') headers.authorization = `Bearer ${call.accessToken}`;
    const body = { length: part.length, open: () => part.read() };
    const response = await this.http.send({ method: 'PUT', url: bounds.url, headers, body });
    return uploadResponseOf(this.reader('upload'), part, response, ({ headers }) => {
      if (file.kind !== 'video') return this.completed(call, step.file);
      const etag = partIdIn(headers.etag);
      if (etag === null) return null;
      const notes = plan.uploadedPart(step.file, step.part, etag);
      const following: MediaStep = bounds.isLast
        ? { call: 'finalize', file: step.file }
        : { ...step, part: step.part + 1 };
      return { kind: 'next', step: plan.stepName(following), notes };
    });
  }

  /** Without the right to read the state, a finalization whose response was lost is repeated. */
  private async finalize(variant: Variant, call: PrepareCall, file: number): Promise<PrepareResponse> {
    const uploadedPartIds = plan.partIdsOf(call.prepared, file);
    if (uploadedPartIds === null) return plan.next({ call: 'initialize', file });
    const { accessToken, prepared } = call;
    const [video, uploadToken] = [plan.urnOf(prepared, file), plan.tokenOf(prepared, file)];
    const response = await this.calls.post({
      accessToken,
      path: '/rest/videos?action=finalizeUpload',
      body: { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } },
      timeoutMs: FINALIZE_TIMEOUT_MS,
    });
    const result = prepareResponseOf(this.reader('finalize'), response, () => this.completed(call, file));
    const isLost = variant.canRead && result.kind === 'no-answer' && response.kind !== 'not-sent';
    return isLost ? plan.wait({ call: 'confirm', file }, CONFIRM_AFTER_MS) : result;
  }

  private async status(
    variant: Variant,
    call: PrepareCall,
    file: DeliveryFile,
    step: MediaStep,
  ): Promise<PrepareResponse> {
    const urn = encodeURIComponent(plan.urnOf(call.prepared, step.file));
    const response = await this.calls.get(call.accessToken, `${routeOf(file)}/${urn}`);
    const done = () =>
      step.call === 'confirm' ? this.completed(call, step.file) : plan.afterStatus(step.file, call.files);
    // Without the right to read, the post itself shows whether LinkedIn has finished: it is refused until then.
    if (
      response.kind === 'answered' &&
      response.status === 403 &&
      isLinkedInError(response) &&
      !variant.canRead
    )
      return step.call === 'status' ? done() : plan.next({ call: 'finalize', file: step.file });
    return prepareResponseOf(this.reader('status'), response, ({ body }) => {
      switch (stateIn(body)) {
        case 'available':
          return done();
        case 'processing':
          return step.call === 'confirm' ? done() : plan.wait(step, CHECK_AFTER_MS[file.kind]);
        case 'waiting':
          return step.call === 'confirm'
            ? plan.next({ call: 'finalize', file: step.file })
            : plan.wait(step, CHECK_AFTER_MS[file.kind]);
        case 'other':
          return plan.wait(step, CHECK_AFTER_MS[file.kind]);
        case 'failed':
          return {
            kind: 'refused',
            refusal: refusal('LinkedIn', 'PROCESSING_FAILED', FAILURES.processingFailed),
          };
        case null:
          return null;
      }
    });
  }

  private completed(call: PrepareCall, file: number): PrepareResponse {
    const notes = plan.completed(call.prepared, file);
    const prepared = { ...call.prepared, notes: { ...call.prepared.notes, ...notes } };
    return { ...plan.afterUpload(prepared, call.files), notes } as PrepareResponse;
  }

  /** Bytes and the token go to LinkedIn only, or to the configured host. */
  private isTrusted(url: string): boolean {
    const { origin, protocol, hostname } = new URL(url);
    return (
      origin === new URL(this.config.apiUrl).origin || (protocol === 'https:' && LINKEDIN_HOST.test(hostname))
    );
  }

  private reader(step: MediaStep['call']): ResponseReader {
    return {
      displayName: 'LinkedIn',
      readingsIn: () => [],
      // The hosts that take bytes have errors of their own, without a form.
      isOwnError: step === 'upload' ? (response) => !isPage(response) : isLinkedInError,
      classify: ({ status, headers, body }) =>
        classifyMediaRefusal(readLinkedInError(status, body), step, waitIn(headers, this.clock.now())),
    };
  }
}

const routeOf = ({ kind }: DeliveryFile): string => (kind === 'video' ? '/rest/videos' : '/rest/images');
