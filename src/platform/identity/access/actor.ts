import { randomBytes } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/auth';
import { addressOf } from '#libs/http';

/** OWASP, "Device cookies": identifies a browser that has signed in with the password before. */
const COOKIE = 'identity_device';
/** 128 random bits. */
const SHAPE = /^[A-Za-z0-9_-]{22}$/;
/** The retention of known devices. */
const MAX_AGE_MS = 210 * 24 * 60 * 60 * 1000;

/** The device id of the request; null without a valid cookie. */
function readDeviceCookie(request: Request): string | null {
  const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const [, value = ''] = cookies.find(([name]) => name === COOKIE) ?? [];
  return SHAPE.test(value) ? value : null;
}

export const newDeviceId = (): string => randomBytes(16).toString('base64url');

/** The browser sends the cookie only to the sign-in route and only from the same site; scripts cannot read it. */
export function setDeviceCookie(response: Response, device: string, isSecure: boolean): void {
  response.cookie(COOKIE, device, {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    path: '/api/auth/login',
    maxAge: MAX_AGE_MS,
  });
}

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
