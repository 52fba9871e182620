import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';

/** OWASP, "Device cookies": what a browser shows that has signed in with the password before. */
const COOKIE = 'identity_device';
/** 128 random bits. */
const SHAPE = /^[A-Za-z0-9_-]{22}$/;
/** As long as devices are remembered. */
const MAX_AGE_MS = 210 * 24 * 60 * 60 * 1000;

/** The device that sends the request, if it has been named. */
export function deviceOf(request: Request): string | null {
  const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const [, value = ''] = cookies.find(([name]) => name === COOKIE) ?? [];
  return SHAPE.test(value) ? value : null;
}

export const newDevice = (): string => randomBytes(16).toString('base64url');

/** Only scripts-free requests of the same site send it back, to the sign-in alone. */
export function nameDevice(response: Response, device: string, isSecure: boolean): void {
  response.cookie(COOKIE, device, {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    path: '/api/auth/login',
    maxAge: MAX_AGE_MS,
  });
}
