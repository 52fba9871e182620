import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { type DeliveryFile, type FailureReport, inDoubt } from '#libs/content';
import type { AccountFacts } from '../../domain/provider-grants.js';
import type {
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
} from '../../domain/provider-publishing.js';
import { PREPARE_AGAIN, refusedHere } from '../failures.js';
import { FilePart, commitUploadResponseOf, missingFile, uploadResponseOf } from '../file-part.js';
import { prepareResponseOf, type ResponseReader } from '../network-responses.js';
import { addressIn, isPage } from '../values.js';
import { TikTokApi } from './tiktok-api.js';
import { TikTokCreator } from './tiktok-creator.js';
import {
  classifyRefusal,
  classifyUpload,
  failedBecause,
  isRefusedInside,
  isTikTokError,
} from './tiktok-errors.js';
import { mediaExpired, mediaTooLarge } from './tiktok-failures.js';
import * as plan from './tiktok-upload-plan.js';
import type { UploadStep } from './tiktok-upload-plan.js';
import { dataIn, publishIdIn } from './tiktok-values.js';

const MEDIA_EXPIRED = refusedHere('TikTok', mediaExpired, PREPARE_AGAIN);
const ARRIVED =
  'TikTok refuses the last part of the video, which may have arrived before. The post may be live.';
const FULL_STATUS = [200, 201, 206];

/**
 * The steps before a post: creator_info, which TikTok requires before each post; of a video the upload, part by part in order, up to
 * the last part, which publishes it. Photos need no upload. A part that TikTok has already got is refused with 416: then the
 * status tells where to continue.
 */
@Injectable()
export class TikTokUpload {
  constructor(
    private readonly api: TikTokApi,
    private readonly creator: TikTokCreator,
    private readonly clock: Clock,
  ) {}

  async prepare(call: PrepareCall): Promise<PrepareResponse> {
    const { files, content } = call;
    const [file] = files;
    if (!file || files.length < content.mediaIds.length) return missingFile;
    const step = plan.stepOf(call.step);
    switch (step.call) {
      case 'creator':
        return this.askCreator(call, file);
      case 'init':
        return this.begin(call, file);
      case 'resume':
        return this.resume(call, file);
      case 'part':
        return this.part(call, file, step);
    }
  }

  /** The last part. */
  async commit(call: CommitCall, file: DeliveryFile, acceptedMs: number): Promise<CommitResponse> {
    const open = plan.openUpload(call.prepared);
    const bounds = plan.boundsOf(file, plan.partsOf(file.bytes).count - 1);
    if (open === null || bounds === null) return MEDIA_EXPIRED;
    const part = new FilePart(file, bounds.start, bounds.end);
    const response = await this.api.sendPart(open.address, file, bounds, part, call.maySend);
    const answer = commitUploadResponseOf(uploading('post'), part, response, ({ status }) =>
      status === 201 || status === 200
        ? {
            kind: 'accepted',
            milliseconds: acceptedMs,
            ids: { publish: open.publishId, committed: open.publishId },
          }
        : null,
    );
    if (answer.kind !== 'refused' || (await this.isIncomplete(call, open.publishId))) return answer;
    return { kind: 'unconfirmed', failure: inDoubt(ARRIVED, answer.refusal.failure.networkCode) };
  }

  /** Whether TikTok certainly publishes nothing of this upload. The address of a complete one refuses the last part too. */
  private async isIncomplete({ accessToken }: CommitCall, publishId: string): Promise<boolean> {
    const response = await this.api.status(accessToken, publishId);
    const status = response.kind === 'answered' ? dataIn(response.body)?.status : undefined;
    return status === 'PROCESSING_UPLOAD' || status === 'FAILED';
  }

  /** What the account allows now is kept for the call that states it. */
  private async askCreator(call: PrepareCall, file: DeliveryFile): Promise<PrepareResponse> {
    const response = await this.creator.query(call.accessToken);
    return prepareResponseOf(this.calling, response, ({ body }) => {
      if (isRefusedInside(body)) return 'refused';
      const creator = dataIn(body);
      if (creator === null) return null;
      const facts = this.creator.factsIn(creator);
      const failure = notAllowed(call.content, file, facts);
      if (failure) return { kind: 'refused', refusal: { failure } };
      const notes = plan.withFacts(facts);
      return file.kind === 'video' ? { ...plan.next({ call: 'init' }), notes } : { kind: 'ready', notes };
    });
  }

  private async begin(call: PrepareCall, file: DeliveryFile): Promise<PrepareResponse> {
    if (plan.partsOf(file.bytes).count > plan.MAX_PARTS) return refusedHere('TikTok', mediaTooLarge);
    const response = await this.api.beginVideo(call, file, plan.factsIn(call.prepared) ?? call.account.facts);
    return prepareResponseOf(this.calling, response, ({ body }) => {
      if (isRefusedInside(body)) return 'refused';
      const { publish_id: id, upload_url: url } = dataIn(body) ?? {};
      const [publishId, address] = [publishIdIn(id), addressIn(url)];
      if (publishId === null || address === null || !this.api.isUsable(address)) return null;
      return { ...following(file, 0), ...plan.begun(call.prepared, file, publishId, address) };
    });
  }

  private async part(
    call: PrepareCall,
    file: DeliveryFile,
    step: UploadStep & { call: 'part' },
  ): Promise<PrepareResponse> {
    const open = plan.openUpload(call.prepared);
    const bounds = plan.boundsOf(file, step.part);
    // The parts so far are of another rendition, or nothing can be continued.
    if (open === null || bounds === null || step.bytes !== file.bytes) return plan.next({ call: 'init' });
    if (bounds.isLast) return { kind: 'ready' };
    const part = new FilePart(file, bounds.start, bounds.end);
    const response = await this.api.sendPart(open.address, file, bounds, part);
    if (response.kind === 'answered' && response.status === 416) return plan.next({ call: 'resume' });
    return uploadResponseOf(uploading('step'), part, response, ({ status }) =>
      FULL_STATUS.includes(status) ? following(file, step.part + 1) : null,
    );
  }

  /** Continues after the bytes that TikTok has, or begins again. */
  private async resume(call: PrepareCall, file: DeliveryFile): Promise<PrepareResponse> {
    const open = plan.openUpload(call.prepared);
    if (open === null) return plan.next({ call: 'init' });
    const response = await this.api.status(call.accessToken, open.publishId);
    return prepareResponseOf(this.calling, response, ({ body }) => {
      if (isRefusedInside(body)) return 'refused';
      const data = dataIn(body);
      if (data === null) return null;
      return continuing(file, data);
    });
  }

  private readonly calling: ResponseReader = {
    displayName: 'TikTok',
    readingsIn: () => [],
    isOwnError: isTikTokError,
    classify: (response) => classifyRefusal(response, this.clock.now(), 'step'),
  };
}

/** The upload address has no JSON and no error codes. */
const uploading = (of: 'post' | 'step'): ResponseReader => ({
  displayName: 'TikTok',
  readingsIn: () => [],
  isOwnError: (response) => !isPage(response),
  classify: (response) => classifyUpload(response, of),
});

/** TikTok would refuse the post after the upload. */
function notAllowed(
  { options }: PrepareCall['content'],
  { durationMs }: DeliveryFile,
  { privacies, maxVideoSeconds }: AccountFacts,
): FailureReport | null {
  const isOffered =
    !Array.isArray(privacies) || privacies.length === 0 || privacies.includes(options.privacy ?? '');
  if (!isOffered) return failedBecause('privacy_level_option_mismatch');
  const isTooLong = typeof maxVideoSeconds === 'number' && (durationMs ?? 0) > maxVideoSeconds * 1000;
  return isTooLong ? failedBecause('duration_check_failed') : null;
}

function continuing(
  file: DeliveryFile,
  { status, uploaded_bytes: sent }: Record<string, unknown>,
): PrepareResponse {
  const part = typeof sent === 'number' ? plan.partAfter(file.bytes, sent) : null;
  return status === 'PROCESSING_UPLOAD' && part !== null
    ? following(file, part)
    : plan.next({ call: 'init' });
}

/** The last part is the irreversible call. */
function following(file: DeliveryFile, part: number): PrepareResponse & { kind: 'next' | 'ready' } {
  const bounds = plan.boundsOf(file, part);
  return bounds?.isLast === true ? { kind: 'ready' } : plan.next({ call: 'part', part, bytes: file.bytes });
}
