import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';

/** OWASP, "Device cookies": identifies a browser that has signed in with the password before. */
const COOKIE = 'identity_device';
/** 128 random bits. */
const SHAPE = /^[A-Za-z0-9_-]{22}$/;
/** The retention of known devices. */
const MAX_AGE_MS = 210 * 24 * 60 * 60 * 1000;

/** The device id of the request; null without a valid cookie. */
export function readDeviceCookie(request: Request): string | null {
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
