import {
  createParamDecorator,
  type CustomDecorator,
  type ExecutionContext,
  SetMetadata,
} from '@nestjs/common';
import type { Request } from 'express';
import { isUuid } from '#libs/http';
import { BrandNotFound } from './auth.errors.js';
import type { Caller } from './caller.js';

export const ACCEPTS_API_KEY = 'auth:accepts-api-key';
export const SERVICE = 'auth:service';

/** The route accepts X-Api-Key as well as a bearer; other routes accept a bearer only. */
export const AcceptsApiKey = (): CustomDecorator => SetMetadata(ACCEPTS_API_KEY, true);

/**
 * The routes belong to another registered service than this process. Identity returns the caller's scopes in that service.
 * @param slug as in identity's registry
 */
export const BelongsToService = (slug: string): CustomDecorator => SetMetadata(SERVICE, slug);

/** The caller of this request. On public routes there is none. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | undefined =>
    context.switchToHttp().getRequest<Request & { user?: Caller }>().user,
);

/**
 * The brand named by X-Brand-ID, in lower case; undefined without the header.
 * @throws BrandNotFound when it is not an identifier.
 */
export const BrandId = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const header = context.switchToHttp().getRequest<Request>().header('x-brand-id')?.trim();
  if (!header) return undefined;
  if (!isUuid(header)) throw new BrandNotFound();
  return header.toLowerCase();
});
