import { Injectable, Logger } from '@nestjs/common';
import type { OutboundResponse } from '#libs/outbound-http';
import type { Attribution } from '../access/attribution.js';
import { type DebitedCall, QuotaLedger } from './quota/quota-ledger.js';
import type { MeteredCall } from './quota/quota.config.js';
import type { BeginUploadDto, ChannelDto, UploadProgressDto } from './upload.dto.js';
import { type Upload, UploadsStore } from './uploads.store.js';
import {
  PartIsNotValid,
  UploadSessionIsGone,
  VideoProviderGaveNoAnswer,
  VideoProviderIsUnreachable,
  VideoProviderRefused,
} from './video.errors.js';
import { type Answered, channelIn, type Part, progressIn, refusalIn, Youtube } from './youtube.js';

/** Whose channel a call is for, and for whom it is counted. */
export interface ChannelAccess {
  readonly attribution: Attribution;
  /** Access token of the channel: passed on, never stored and never logged. */
  readonly token: string;
}

/** Parts other than the last have a multiple of this length (developers.google.com, "Resumable uploads"). */
export const PART_UNIT = 262_144;

/** The bucket is empty, by Google. */
const EXHAUSTED = new Set(['quotaExceeded', 'dailyLimitExceeded']);
const GONE = new Set([404, 410]);

/**
 * Calls to the video provider. A call that costs quota is debited before it is sent, and given back only when it certainly was not.
 * An upload is debited once, when its session begins: Google does not document that its parts cost anything.
 */
@Injectable()
export class VideoCalls {
  private readonly logger = new Logger(VideoCalls.name);

  constructor(
    private readonly youtube: Youtube,
    private readonly ledger: QuotaLedger,
    private readonly uploads: UploadsStore,
  ) {}

  /** null: the account has no channel. */
  channel({ attribution, token }: ChannelAccess): Promise<ChannelDto | null> {
    const send = () => this.youtube.channel(token);
    return this.metered('channels.list', attribution, send, ({ body }) => {
      const channel = channelIn(body);
      if (channel === undefined) throw new VideoProviderGaveNoAnswer();
      return channel;
    });
  }

  /** @returns the id of the upload */
  begin({ attribution, token }: ChannelAccess, upload: BeginUploadDto): Promise<string> {
    const send = () => this.youtube.begin(token, upload);
    return this.metered('videos.insert', attribution, send, async ({ headers }, { id }) => {
      const { location: session } = headers;
      if (!this.youtube.isSession(session)) {
        this.logger.error(
          'The provider named no upload address on the configured host. YOUTUBE_API_URL may be wrong.',
        );
        throw new VideoProviderGaveNoAnswer();
      }
      await this.uploads.add(attribution, { id, bytes: upload.bytes, session });
      return id;
    });
  }

  async send(
    { attribution, token }: ChannelAccess,
    uploadId: string,
    part: Part,
  ): Promise<UploadProgressDto> {
    const upload = await this.usable(uploadId, attribution);
    assertPart(part, upload.bytes);
    return this.progressOf(await this.youtube.send(token, upload.session, part), upload);
  }

  async probe({ attribution, token }: ChannelAccess, uploadId: string): Promise<UploadProgressDto> {
    const upload = await this.usable(uploadId, attribution);
    return this.progressOf(await this.youtube.probe(token, upload.session, upload.bytes), upload);
  }

  private async usable(uploadId: string, attribution: Attribution): Promise<Upload> {
    const upload = await this.uploads.get(uploadId, attribution);
    // YOUTUBE_API_URL was another one when it began.
    if (!this.youtube.isSession(upload.session)) throw new UploadSessionIsGone();
    return upload;
  }

  private async progressOf(response: OutboundResponse, upload: Upload): Promise<UploadProgressDto> {
    if (response.kind === 'answered' && GONE.has(response.status)) throw new UploadSessionIsGone();
    const answered = assertAnswered(response);
    const progress = progressIn(answered, upload.bytes);
    if (progress) return progress;
    if (isRefusal(answered)) throw await this.refused('videos.insert', upload, answered);
    throw new VideoProviderGaveNoAnswer();
  }

  /** @param use of an answer of success, before the call is settled */
  private async metered<T>(
    call: MeteredCall,
    attribution: Attribution,
    send: () => Promise<OutboundResponse>,
    use: (answer: Answered, debited: DebitedCall) => T | Promise<T>,
  ): Promise<T> {
    const debited = await this.ledger.reserve(call, attribution);
    const response = await send();
    if (response.kind === 'not-sent' || response.kind === 'withheld') {
      await this.ledger.release(debited);
      throw new VideoProviderIsUnreachable();
    }
    if (response.kind === 'answered' && isSuccess(response)) {
      try {
        return await use(response, debited);
      } finally {
        await this.ledger.settle(debited, 'done');
      }
    }
    const isRefused = response.kind === 'answered' && isRefusal(response);
    await this.ledger.settle(debited, isRefused ? 'refused' : 'unknown');
    throw isRefused ? await this.refused(call, debited, response) : new VideoProviderGaveNoAnswer();
  }

  private async refused(call: MeteredCall, debited: DebitedCall, response: Answered): Promise<Error> {
    const refusal = refusalIn(response);
    if (refusal.reason !== null && EXHAUSTED.has(refusal.reason)) return this.ledger.exhaust(call, debited);
    return new VideoProviderRefused(refusal);
  }
}

function assertAnswered(response: OutboundResponse): Answered {
  if (response.kind === 'answered') return response;
  throw response.kind === 'no-answer' ? new VideoProviderGaveNoAnswer() : new VideoProviderIsUnreachable();
}

function assertPart({ start, total, body }: Part, bytes: number): void {
  if (total !== bytes)
    throw new PartIsNotValid(`Content-Range must end with /${bytes}, the length of the upload.`);
  const end = start + body.length;
  if (end > total) throw new PartIsNotValid('Content-Range must lie within the file.');
  if (end < total && body.length % PART_UNIT !== 0)
    throw new PartIsNotValid(`The length of a part other than the last must be a multiple of ${PART_UNIT}.`);
}

const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300;
/** 5xx is in doubt, whatever its body says. */
const isRefusal = ({ status }: Answered): boolean => status >= 400 && status < 500;
