import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { InspectedFile } from '../reading/csv-file.js';

/** A file of a request, on disk until the request is answered or its process ends. */
export interface Upload extends InspectedFile {
  /** As the client calls it. */
  readonly name: string;
  /** Aborts with ClientHungUp. */
  readonly signal: AbortSignal;
}

const UPLOAD = Symbol('upload');
type WithUpload = Request & { [UPLOAD]?: Upload };

export function keepUpload(request: Request, upload: Upload): void {
  (request as WithUpload)[UPLOAD] = upload;
}

/** What SpoolInterceptor received. */
export const UploadedFile = createParamDecorator(
  (_: unknown, context: ExecutionContext): Upload | undefined =>
    context.switchToHttp().getRequest<WithUpload>()[UPLOAD],
);
