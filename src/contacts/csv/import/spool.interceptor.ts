import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import type { Observable } from 'rxjs';
import { lastValueFrom, of } from 'rxjs';
import { cleanJson, hangUpOf, RequestIsNotValid } from '#libs/http';
import { CsvConfig } from '../csv.config.js';
import { FileIsMissing, FileIsTooLarge, FormIsNotReadable } from '../csv.errors.js';
import { inspectFile } from '../reading/inspect-file.js';
import { keepUpload } from './upload.js';

/** Beside the file: names, borders and the JSON parts. */
const FORM_BYTES = 2 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;
const JSON_PARTS = ['mapping', 'options'] as const;

/**
 * Receives the multipart form of an import: the file to disk, where it has no name, so that it goes away with the request
 * or the process, however either ends; the JSON parts to the body, with the file's hash, so that a repeated request is known by its bytes.
 */
@Injectable()
export class SpoolInterceptor implements NestInterceptor {
  constructor(@Inject(CsvConfig) private readonly config: CsvConfig) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const disk = await withoutName();
    try {
      await this.receive(http.getRequest<Request>(), http.getResponse<Response>(), disk);
      return of(await lastValueFrom(next.handle(), { defaultValue: undefined }));
    } finally {
      await disk.close();
    }
  }

  private async receive(request: Request, response: Response, disk: FileHandle): Promise<void> {
    const signal = hangUpOf(response);
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > this.config.maxBytes + FORM_BYTES) throw new FileIsTooLarge(this.config.maxBytes);
    await this.spool(request, response, disk);
    const { file } = request;
    if (!file) throw new FileIsMissing();
    const inspection = await inspectFile(disk);
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const parts = JSON_PARTS.flatMap((part) => (part in fields ? [[part, parsed(part, fields[part])]] : []));
    const sent = { name: file.originalname, sha256: inspection.sha256 };
    request.body = cleanJson({ ...fields, ...(Object.fromEntries(parts) as object), file: sent });
    keepUpload(request, { path: disk, name: file.originalname.slice(0, 255), inspection, signal });
  }

  private spool(request: Request, response: Response, disk: FileHandle): Promise<void> {
    const limits = { fileSize: this.config.maxBytes, files: 1, fields: 8, parts: 10, fieldSize: PART_BYTES };
    const receive = multer({ storage: onto(disk), limits, defParamCharset: 'utf8' }).single('file');
    return new Promise((resolve, reject) => {
      void receive(request, response, (error: unknown) => {
        if (error) reject(this.refusal(error));
        else resolve();
      });
    });
  }

  /** Multer passes on what the form's parser says as plain errors; those of the disk have a system call. */
  private refusal(error: unknown): Error {
    if (error instanceof MulterError) {
      return error.code === 'LIMIT_FILE_SIZE' ? new FileIsTooLarge(this.config.maxBytes) : error;
    }
    const isOurs = error instanceof Error && 'syscall' in error;
    return isOurs ? error : new FormIsNotReadable(error);
  }
}

async function withoutName(): Promise<FileHandle> {
  const path = join(tmpdir(), `contact-import-${randomUUID()}`);
  const disk = await open(path, 'wx+', 0o600);
  await unlink(path);
  return disk;
}

function onto(disk: FileHandle): multer.StorageEngine {
  return {
    _handleFile(_request, { stream }: { stream: Readable }, callback) {
      const written = pipeline(stream, async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await disk.writeFile(chunk);
      });
      written.then(() => callback(null, {}), callback);
    },
    _removeFile(_request, _file, callback) {
      callback(null);
    },
  };
}

function parsed(part: string, text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new RequestIsNotValid([{ pointer: `#/${part}`, code: 'malformed_json', detail: 'is not JSON' }]);
  }
}
