import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { cleanJson, abortOnDisconnect, principalOf, RequestIsNotValid } from '#libs/http';
import {
  attachReceivedFile,
  FileIsMissing,
  FileIsTooLarge,
  type ReceivedFile,
  receiveFile,
  UploadIsNotReadable,
  type UploadRules,
  UploadsConfig,
  UploadSlots,
} from '#libs/uploads';
import { CsvConfig } from '../../contacts.config.js';
import type { ImportUpload } from '../import/import-request.js';

const JSON_PARTS = ['mapping', 'options'] as const;

const FORM: UploadRules['form'] = {
  otherBytes: 2 * 1024 * 1024,
  limits: { fields: 8, parts: 10, fieldSize: 1024 * 1024 },
  refusals: {
    missing: () => new FileIsMissing('Send the CSV file as the part `file` of multipart/form-data.'),
    tooLarge: (maxBytes) => new FileIsTooLarge(maxBytes, 'invalid', 'Split it and send the parts.'),
    notReadable: (cause) => new UploadIsNotReadable('form_not_readable', cause),
    unfit: (error) => error,
  },
};

/**
 * Receives the multipart form of an import: the file to disk until the request is answered; the JSON parts to the body,
 * with the hash of the file, by which a repeated request is recognized. Adds an ImportUpload to the request.
 */
@Injectable()
export class ReceiveImport implements NestInterceptor {
  constructor(
    @Inject(CsvConfig) private readonly config: CsvConfig,
    private readonly uploads: UploadsConfig,
    private readonly slots: UploadSlots,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return this.slots.hold(principalOf(request), () => this.receive(request, response, next));
  }

  private async receive(
    request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const signal = abortOnDisconnect(response);
    const { maxBytes, stallMs } = this.config;
    const rules = { ...this.uploads, maxBytes, stallMs, form: FORM };
    const received = await receiveFile(request, response, rules);
    try {
      request.body = bodyOf((request.body ?? {}) as Record<string, unknown>, received);
      const upload: ImportUpload = { file: received.spool, name: received.name.slice(0, 255), signal };
      attachReceivedFile(request, upload);
      return of(await lastValueFrom(next.handle(), { defaultValue: undefined }));
    } finally {
      await received.spool.close();
    }
  }
}

function bodyOf(fields: Record<string, unknown>, { name, spool }: ReceivedFile): unknown {
  const parts = JSON_PARTS.flatMap((part) => (part in fields ? [[part, parsed(part, fields[part])]] : []));
  const file = { name, sha256: spool.sha256 };
  return cleanJson({ ...fields, ...(Object.fromEntries(parts) as object), file });
}

function parsed(part: string, text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new RequestIsNotValid([{ pointer: `#/${part}`, code: 'malformed_json', detail: 'is not JSON' }]);
  }
}
