import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { Spool } from './spool.js';
import { UploadHasStalled, UploadIsTooSlow, UploadTookTooLongToArrive } from './upload.errors.js';

/** A form with one file, and what may stand beside it. */
export interface UploadRules {
  readonly maxBytes: number;
  /** How long nothing may come, in milliseconds; the minimum rate is measured over twice that time. */
  readonly stallMs: number;
  readonly minBytesPerSecond: number;
  /** For all of it, in milliseconds. */
  readonly deadlineMs: number;
  readonly form: {
    /** What the form may be longer than its file: boundaries, headers of parts, names, fields. */
    readonly otherBytes: number;
    /** Of the fields, which come to stand in the body of the request. */
    readonly limits: Pick<
      multer.Options['limits'] & object,
      'fields' | 'fieldSize' | 'parts' | 'headerPairs'
    >;
    readonly refusals: Refusals;
  };
}

/** The reasons are the same everywhere; the statuses and codes of its answers are each route's own. */
export interface Refusals {
  readonly missing: () => Error;
  readonly tooLarge: (maxBytes: number) => Error;
  /** No multipart form, or one that breaks off. */
  readonly notReadable: (cause: unknown) => Error;
  /** The form holds something else, or more than it may. */
  readonly unfit: (error: MulterError) => Error;
}

export interface ReceivedFile {
  /** As the client sent it. */
  readonly name: string;
  /** To be closed by the receiver. */
  readonly spool: Spool;
}

const PART = 'file';

/**
 * The one file of a multipart body, on disk. A refusal is thrown as soon as it is known, whatever the client goes on to
 * send or does not; nothing is left of the file then.
 * @throws UploadHasStalled, UploadIsTooSlow, UploadTookTooLongToArrive and what the rules say
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

/** @returns the name of the file, undefined when there was none. */
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
    storage: into(spool, { tooLarge, failed: reject }),
    limits: { ...limits, fileSize: maxBytes, files: 1 },
    defParamCharset: 'utf8',
  });
  request.on('data', watch);
  // multer tells of an error only after the rest of the body has come: what must not wait is said above and below
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
  /** @returns how many bytes have come in all. */
  take(bytes: number): number;
  stop(): void;
}

/** Ends an upload that stalls, drips or takes too long. */
function watchPace(
  { stallMs, minBytesPerSecond, deadlineMs }: UploadRules,
  end: (error: Error) => void,
): Pace {
  // Longer than a stall, which is told as such.
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

function into(
  spool: Spool,
  tell: { tooLarge: () => void; failed: (error: unknown) => void },
): multer.StorageEngine {
  return {
    _handleFile(_request, { stream }: { stream: Readable }, callback) {
      stream.once('limit', tell.tooLarge);
      spool.write(stream).then(
        () => callback(null, {}),
        (error: NodeJS.ErrnoException) => {
          if (error.syscall === 'write') tell.failed(error);
          callback(error);
        },
      );
    },
    _removeFile(_request, _file, callback) {
      callback(null);
    },
  };
}
