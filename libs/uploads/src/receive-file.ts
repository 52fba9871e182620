import type { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { Spool } from './spool.js';
import { UploadHasStalled, UploadIsTooSlow, UploadTookTooLongToArrive } from './upload.errors.js';

const RECEIVED = Symbol('received');
type WithReceived = Request & { [RECEIVED]?: unknown };

/** Attaches the result of an upload interceptor to the request, for its handler. */
export function attachReceivedFile(request: Request, received: unknown): void {
  (request as WithReceived)[RECEIVED] = received;
}

export const ReceivedUpload = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown =>
    context.switchToHttp().getRequest<WithReceived>()[RECEIVED],
);

/** Limits of a form with one file and further fields. */
export interface UploadRules {
  readonly maxBytes: number;
  /** Longest pause without a byte, in milliseconds. The minimum rate is measured over twice that time. */
  readonly stallMs: number;
  readonly minBytesPerSecond: number;
  /** For the whole upload, in milliseconds. */
  readonly deadlineMs: number;
  readonly form: {
    /** Bytes of the form besides the file: boundaries, headers of parts, names, fields. */
    readonly otherBytes: number;
    /** Limits of the fields, which become the body of the request. */
    readonly limits: Pick<
      multer.Options['limits'] & object,
      'fields' | 'fieldSize' | 'parts' | 'headerPairs'
    >;
    readonly refusals: Refusals;
  };
}

/** Errors of the refusals; every route has its own statuses and codes. */
export interface Refusals {
  readonly missing: () => Error;
  readonly tooLarge: (maxBytes: number) => Error;
  readonly notReadable: (cause: unknown) => Error;
  /** The form has other or more parts than allowed. */
  readonly unfit: (error: MulterError) => Error;
}

export interface ReceivedFile {
  /** As the client sent it. */
  readonly name: string;
  /** The receiver must close it. */
  readonly spool: Spool;
}

const PART = 'file';

/**
 * Writes the file of a multipart body to disk. Throws a refusal at once, without waiting for the rest of the body, and
 * deletes the file then.
 * @throws UploadHasStalled, UploadIsTooSlow, UploadTookTooLongToArrive and the errors of `rules.form.refusals`
 */
export async function receiveFile(
  request: Request,
  response: Response,
  rules: UploadRules,
): Promise<ReceivedFile> {
  const { maxBytes, form } = rules;
  if (!request.is('multipart/form-data')) throw form.refusals.missing();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + form.otherBytes)
    throw form.refusals.tooLarge(maxBytes);
  const spool = await Spool.open();
  try {
    const name = await spooled(request, response, rules, spool);
    if (name === undefined) throw form.refusals.missing();
    return { name, spool };
  } catch (error) {
    await spool.close();
    throw error;
  }
}

function spooled(
  request: Request,
  response: Response,
  rules: UploadRules,
  spool: Spool,
): Promise<string | undefined> {
  const { maxBytes, form } = rules;
  const { otherBytes, limits, refusals } = form;
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const tooLarge = () => reject(refusals.tooLarge(maxBytes));
  const pace = watchPace(rules, reject);
  const watch = (chunk: Buffer) => {
    if (pace.take(chunk.length) > maxBytes + otherBytes) tooLarge();
  };
  const parse = multer({
    storage: spoolStorage(spool, { tooLarge, failed: reject }),
    limits: { ...limits, fileSize: maxBytes, files: 1 },
    defParamCharset: 'utf8',
  });
  request.on('data', watch);
  // multer reports errors only after the end of the body, so `watch` and `watchPace` reject earlier.
  void parse.single(PART)(request, response, (error: unknown) => {
    if (error === undefined) resolve(request.file?.originalname);
    else if (!(error instanceof MulterError)) reject(refusals.notReadable(error));
    else if (error.code === 'LIMIT_FILE_SIZE') tooLarge();
    else reject(refusals.unfit(error));
  });
  return promise.finally(() => {
    pace.stop();
    request.off('data', watch);
  });
}

interface Pace {
  /** @returns the total number of bytes */
  take(bytes: number): number;
  stop(): void;
}

function watchPace(
  { stallMs, minBytesPerSecond, deadlineMs }: UploadRules,
  end: (error: Error) => void,
): Pace {
  // Longer than `stallMs`, so that a stall is reported as a stall.
  const windowMs = 2 * stallMs;
  let [arrived, before] = [0, 0];
  const stalled = setTimeout(() => end(new UploadHasStalled()), stallMs);
  const deadline = setTimeout(() => end(new UploadTookTooLongToArrive(deadlineMs)), deadlineMs);
  const rate = setInterval(() => {
    if (arrived - before < (minBytesPerSecond * windowMs) / 1_000)
      end(new UploadIsTooSlow(minBytesPerSecond));
    before = arrived;
  }, windowMs);
  return {
    take(bytes) {
      stalled.refresh();
      return (arrived += bytes);
    },
    stop() {
      for (const timer of [stalled, deadline, rate]) clearTimeout(timer);
    },
  };
}

function spoolStorage(
  spool: Spool,
  on: { tooLarge: () => void; failed: (error: unknown) => void },
): multer.StorageEngine {
  return {
    _handleFile(_request, { stream }: { stream: Readable }, callback) {
      stream.once('limit', on.tooLarge);
      spool.write(stream).then(
        () => callback(null, {}),
        (error: NodeJS.ErrnoException) => {
          if (error.syscall === 'write') on.failed(error);
          callback(error);
        },
      );
    },
    _removeFile(_request, _file, callback) {
      callback(null);
    },
  };
}
