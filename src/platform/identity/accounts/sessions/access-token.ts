import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken } from '../../validation/validation.js';

/** The bearer token of an authenticated request. */
export const AccessToken = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    bearerToken(context.switchToHttp().getRequest<Request>().headers.authorization) ?? '',
);
