import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer from 'multer';
import {
  FileIsMissing,
  FileIsTooLarge,
  UploadHasStalled,
  UploadIsNotReadable,
} from '../attachment.errors.js';
import { Spool } from './spool.js';

export interface FileRules {
  readonly maxBytes: number;
  readonly stallMs: number;
}

export interface ReceivedFile {
  /** As the client sent it. */
  readonly name: string;
  /** To be closed by the receiver. */
  readonly spool: Spool;
}

const PART = 'file';
/** What a form may be longer than the file in it: boundaries, headers of parts, names, ignored fields. */
const FORM_BYTES = 65_536;
/** What forms of other programs hold besides the file: of no use here, and no reason to refuse it. */
const IGNORED = { fields: 20, fieldSize: 1_024 };

/**
 * The one file of a multipart body, on disk; up to 20 fields of 1 KB beside it are ignored. A refusal is thrown as soon
 * as it is known, whatever the client goes on to send or does not; nothing is left of the file then.
 * @throws FileIsMissing, FileIsTooLarge, UploadIsNotReadable, UploadHasStalled
 */
export async function receiveFile(
  request: Request,
  response: Response,
  rules: FileRules,
): Promise<ReceivedFile> {
  if (!request.is('multipart/form-data')) throw new FileIsMissing();
  if (Number(request.headers['content-length'] ?? 0) > rules.maxBytes + FORM_BYTES)
    throw new FileIsTooLarge(rules.maxBytes);
  const spool = await Spool.open();
  try {
    const name = await spooled(request, response, rules, spool);
    if (name === undefined) throw new FileIsMissing();
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
  { maxBytes, stallMs }: FileRules,
  spool: Spool,
): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const stalled = setTimeout(() => reject(new UploadHasStalled()), stallMs);
  let arrived = 0;
  const watch = (chunk: Buffer) => {
    stalled.refresh();
    arrived += chunk.length;
    if (arrived > maxBytes + FORM_BYTES) reject(new FileIsTooLarge(maxBytes));
  };
  const parse = multer({
    storage: into(spool, reject, maxBytes),
    limits: { fileSize: maxBytes, files: 1, ...IGNORED, headerPairs: 20 },
    defParamCharset: 'utf8',
  });
  request.on('data', watch);
  // multer tells of an error only after the rest of the body has come: what must not wait is said above and below
  void parse.single(PART)(request, response, (error: unknown) =>
    error === undefined ? resolve(request.file?.originalname) : reject(inOurWords(error, maxBytes)),
  );
  return promise.finally(() => {
    clearTimeout(stalled);
    request.off('data', watch);
  });
}

function into(spool: Spool, refuse: (error: unknown) => void, maxBytes: number): multer.StorageEngine {
  return {
    _handleFile(_request, { stream }: { stream: Readable }, callback) {
      stream.once('limit', () => refuse(new FileIsTooLarge(maxBytes)));
      spool.write(stream).then(
        () => callback(null, {}),
        (error: NodeJS.ErrnoException) => {
          if (error.syscall === 'write') refuse(error);
          callback(error);
        },
      );
    },
    _removeFile(_request, _file, callback) {
      callback(null);
    },
  };
}

function inOurWords(error: unknown, maxBytes: number): Error {
  if (!(error instanceof multer.MulterError)) return new UploadIsNotReadable(error);
  return error.code === 'LIMIT_FILE_SIZE' ? new FileIsTooLarge(maxBytes) : new FileIsMissing();
}
