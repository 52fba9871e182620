import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { domainError } from '#libs/errors';
import { cleanJson } from '#libs/http';
import {
  attachReceivedFile,
  FileIsMissing,
  FileIsTooLarge,
  receiveFile,
  UploadIsNotReadable,
  type UploadRules,
  UploadsConfig,
} from '#libs/uploads';
import { attributionOf } from '../../access/current-access.js';
import { AiCallsConfig } from '../ai-calls.config.js';
import { Slots } from '../calls/admit/slots.js';

/** Audio for a provider. The name is made from the type: the caller's own name is not passed on. */
export interface AudioFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

class AudioIsNotSupported extends domainError('unsupported', 'audio_not_supported', {
  detail: 'The file is not WAV, MP3, FLAC, Ogg, WebM or MP4 audio. Convert it.',
  errors: [{ pointer: '#/file', code: 'not_supported', detail: 'must be audio' }],
}) {}

interface Format {
  readonly extension: string;
  readonly mediaType: string;
  /** By the first 12 bytes as Latin-1. */
  readonly signature: RegExp;
}

const HEAD_BYTES = 12;

/** Containers that OpenAI and Google take. */
const FORMATS: readonly Format[] = [
  { extension: 'wav', mediaType: 'audio/wav', signature: /^RIFF....WAVE/s },
  { extension: 'flac', mediaType: 'audio/flac', signature: /^fLaC/ },
  { extension: 'ogg', mediaType: 'audio/ogg', signature: /^OggS/ },
  { extension: 'webm', mediaType: 'audio/webm', signature: /^\x1a\x45\xdf\xa3/ },
  { extension: 'm4a', mediaType: 'audio/mp4', signature: /^....ftyp/s },
  // An ID3 tag, or the sync word of an MPEG audio frame that is no AAC (layer bits not 00).
  { extension: 'mp3', mediaType: 'audio/mpeg', signature: /^(ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff])/ },
];

/** What the bytes are, by their signature: this process parses no more of a caller's file. @throws AudioIsNotSupported */
export function audioFile(bytes: Buffer): AudioFile {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const format = FORMATS.find(({ signature }) => signature.test(head));
  if (!format) throw new AudioIsNotSupported();
  return { name: `audio.${format.extension}`, mediaType: format.mediaType, bytes };
}

/** Longest pause without a byte. */
const STALL_MS = 30_000;
const OTHER_BYTES = 64 * 1024;
const CHUNK = 1024 * 1024;

const FORM: UploadRules['form'] = {
  otherBytes: OTHER_BYTES,
  limits: { fields: 8, parts: 9, fieldSize: 32 * 1024 },
  refusals: {
    missing: () => new FileIsMissing('Send the audio as the part `file` of multipart/form-data.'),
    tooLarge: (maxBytes) => new FileIsTooLarge(maxBytes, 'too-large', 'Split the recording.'),
    notReadable: (cause) => new UploadIsNotReadable('form_not_readable', cause),
    unfit: (error) => error,
  },
};

/**
 * Receives the form of a transcription: to disk until it is whole and within the limit, then to memory for the adapter. The body gets
 * the fields and the hash of the file, by which a repeated request is recognized.
 */
@Injectable()
export class ReceiveAudio implements NestInterceptor {
  constructor(
    private readonly config: AiCallsConfig,
    private readonly uploads: UploadsConfig,
    private readonly slots: Slots,
  ) {}

  /** @throws TooManyCalls, TooManyBytes */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const { organizationId } = attributionOf(request);
    using scope = new DisposableStack();
    scope.use(this.slots.files(organizationId));
    scope.use(this.slots.bodyBytes(organizationId, this.bytesOf(request)));
    await this.receive(request, response);
    return of(await lastValueFrom(next.handle(), { defaultValue: undefined }));
  }

  /** What the recording can take at most. */
  private bytesOf(request: Request): number {
    const most = this.config.maxAudioBytes + OTHER_BYTES;
    return Math.min(Number(request.headers['content-length'] ?? most), most);
  }

  private async receive(request: Request, response: Response): Promise<void> {
    const { maxAudioBytes: maxBytes } = this.config;
    const rules = { ...this.uploads, maxBytes, stallMs: STALL_MS, form: FORM };
    const { spool } = await receiveFile(request, response, rules);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of spool.chunks(CHUNK)) chunks.push(chunk);
      attachReceivedFile(request, audioFile(Buffer.concat(chunks)));
      request.body = cleanJson({ ...(request.body as object), file: { sha256: spool.sha256 } });
    } finally {
      await spool.close();
    }
  }
}
