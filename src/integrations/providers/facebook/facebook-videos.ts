import { Injectable } from '@nestjs/common';
import type { DeliveryFile } from '#libs/content';
import { multipartBody, OutboundHttp } from '#libs/outbound-http';
import type {
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
} from '../../domain/provider-publishing.js';
import { PREPARE_AGAIN } from '../failures.js';
import { FilePart, uploadResponseOf } from '../file-part.js';
import { graphPost, graphIdIn } from '../graph/graph-wire.js';
import { commitResponseOf, prepareResponseOf } from '../network-responses.js';
import { memberOf, wordsIn } from '../values.js';
import { FacebookCalls } from './facebook-calls.js';
import { facebookRefusal } from './facebook-errors.js';
import { captionOf } from './facebook-rules.js';
import * as plan from './facebook-plan.js';
import type { Step } from './facebook-plan.js';

/** UTF-16 units. */
const MAX_SESSION = 200;
/** Facebook joins the parts and encodes the video after the call; the first look is taken then. */
const LOOK_AFTER_MS = 5_000;

type Transfer = Extract<Step, { call: 'transfer' }>;

/**
 * Uploads a video in the parts that Facebook asks for, each by its offset: a repeated part replaces itself. Publishing it is the call that
 * ends the upload (developers.facebook.com/docs/graph-api/video-uploads, "Resumable upload", and /reference/page/videos, read 2026-11-21).
 */
@Injectable()
export class FacebookVideos {
  constructor(
    private readonly http: OutboundHttp,
    private readonly calls: FacebookCalls,
  ) {}

  async start(call: PrepareCall, file: DeliveryFile): Promise<PrepareResponse> {
    const fields = { upload_phase: 'start', file_size: String(file.bytes) };
    const request = graphPost(this.calls.videos(call), call.accessToken, fields);
    return prepareResponseOf(this.calls.reader(), await this.http.send(request), ({ body }) => {
      const id = graphIdIn(memberOf(body, 'video_id'));
      const session = wordsIn(memberOf(body, 'upload_session_id'), MAX_SESSION);
      const step = transferIn(body, file.bytes);
      if (id === null || session === null || step === null) return null;
      return { ...step, ...plan.startedVideo(id, session) };
    });
  }

  async transfer(call: PrepareCall, file: DeliveryFile, step: Transfer): Promise<PrepareResponse> {
    const session = plan.videoOf(call.prepared)?.session;
    // The parts so far are of another rendition.
    if (!session || step.bytes !== file.bytes) return plan.next({ call: 'start-video' });
    const part = new FilePart(file, step.start, step.end);
    const { contentType, body } = multipartBody(
      { upload_phase: 'transfer', upload_session_id: session, start_offset: String(step.start) },
      {
        field: 'video_file_chunk',
        fileName: 'part.mp4',
        contentType: 'application/octet-stream',
        length: part.length,
        open: () => part.read(),
      },
    );
    const headers = { authorization: `Bearer ${call.accessToken}`, 'content-type': contentType };
    const response = await this.http.send({ method: 'POST', url: this.calls.videos(call), headers, body });
    const refused = response.kind === 'answered' && response.status >= 400 && response.status < 500;
    const expected = refused ? expectedIn(response.body, step) : null;
    if (expected !== null) return expected;
    return uploadResponseOf(this.calls.reader(), part, response, ({ body: answer }) =>
      transferIn(answer, file.bytes),
    );
  }

  async finish(call: CommitCall, session: string): Promise<CommitResponse> {
    const description = captionOf(call.content);
    const request = graphPost(this.calls.videos(call), call.accessToken, {
      upload_phase: 'finish',
      upload_session_id: session,
      ...(description !== '' && { description }),
      ...(call.content.title && { title: call.content.title }),
    });
    const response = await this.http.send({ ...request, maySend: call.maySend });
    return commitResponseOf(this.calls.reader(videoRefusal), response, ({ body }) => acceptedIn(body));
  }
}

/** Facebook has the video and publishes it when it is encoded. */
export const acceptedIn = (body: unknown): { kind: 'accepted'; milliseconds: number } | null =>
  memberOf(body, 'success') === true ? { kind: 'accepted', milliseconds: LOOK_AFTER_MS } : null;

/** 6000 and 6001 are also the response to an upload session that has ended: the video is uploaded again, once. */
export const videoRefusal: typeof facebookRefusal = (error, waitMs) => {
  const isLost = error.code === 6000 || error.code === 6001;
  if (!isLost || error.isTransient) return facebookRefusal(error, waitMs);
  return { ...facebookRefusal(error, waitMs), remedy: PREPARE_AGAIN };
};

/** `start_offset` and `end_offset`, as strings; equal ones: the upload is complete. */
function transferIn(body: unknown, bytes: number): PrepareResponse | null {
  const [start, end] = [offsetIn(memberOf(body, 'start_offset')), offsetIn(memberOf(body, 'end_offset'))];
  if (start === null || end === null || end < start || end > bytes) return null;
  if (start === end) return start === bytes ? { kind: 'ready' } : null;
  return plan.next({ call: 'transfer', start, end, bytes });
}

/** A part that Facebook has is refused, and the response names the offsets that it expects. null: it names none, or the same ones. */
function expectedIn(body: unknown, { start, bytes }: Transfer): PrepareResponse | null {
  const data = memberOf(body, 'error', 'error_data');
  const expected = transferIn(typeof data === 'string' ? parsed(data) : data, bytes);
  if (expected?.kind !== 'next') return expected;
  const step = plan.stepOf(expected.step);
  return step.call === 'transfer' && step.start > start ? expected : null;
}

function offsetIn(value: unknown): number | null {
  const offset = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0 ? offset : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
