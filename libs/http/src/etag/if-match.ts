import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import { versionDemanded } from './etag.js';

/** Parameter: the version the caller has read (`If-Match: "v7"` → 7), or undefined when it does not say. */
export const IfMatch = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  versionDemanded(context.switchToHttp().getRequest<Request>().headers['if-match']),
);
