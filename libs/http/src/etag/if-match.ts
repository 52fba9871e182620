import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requiredVersion } from './etag.js';

/** Parameter: the version the caller has read (`If-Match: "v7"` → 7), or undefined without the header. */
export const IfMatch = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  requiredVersion(context.switchToHttp().getRequest<Request>().headers['if-match']),
);
