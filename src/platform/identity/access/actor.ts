import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '#libs/auth';
import { addressOf } from '#libs/http';
import { readDeviceCookie } from './device-cookie.js';

/** The actor of a request and its origin; `operator`: a command on a machine of the service. */
export interface Actor {
  readonly type: 'user' | 'service' | 'api_key' | 'anonymous' | 'operator';
  readonly id: string | null;
  /** IP address as reported by the trusted proxies. */
  readonly address: string | null;
  /** The unit of rate limits: the address, for IPv6 its /64. */
  readonly network: string;
  readonly userAgent: string | null;
  /** The device cookie of the sign-in; a secret. */
  readonly device: string | null;
}

const MAX_USER_AGENT = 200;

/** The actor of this request; anonymous on public routes. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<Request & { user?: Caller }>();
  return {
    type: request.user?.type ?? 'anonymous',
    id: request.user?.id ?? null,
    address: request.ip ?? null,
    network: addressOf(request),
    device: readDeviceCookie(request),
    userAgent: request.header('user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
  };
});
