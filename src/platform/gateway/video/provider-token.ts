import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ProviderTokenIsMissing } from './video.errors.js';

/** Visible ASCII, as tokens are (RFC 6750, section 2.1). */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** The access token of the channel. @throws ProviderTokenIsMissing */
export const ProviderToken = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const token = context.switchToHttp().getRequest<Request>().header('x-provider-token') ?? '';
  if (!TOKEN.test(token)) throw new ProviderTokenIsMissing();
  return token;
});
