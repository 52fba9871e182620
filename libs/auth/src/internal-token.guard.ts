import { createHash, timingSafeEqual } from 'node:crypto';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Injectable, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '#libs/http';
import { AuthConfig } from './auth.config.js';
import { CredentialsAreNotValid } from './auth.errors.js';

/** Lets in only who shows the internal service token. Without a configured token nobody is let in. */
@Injectable()
export class InternalTokenGuard implements CanActivate {
  private readonly expected: Buffer | undefined;

  constructor(config: AuthConfig) {
    this.expected = config.internalToken ? digest(config.internalToken) : undefined;
  }

  /** @throws CredentialsAreNotValid */
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    const token = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1] ?? '';
    if (this.expected && timingSafeEqual(this.expected, digest(token))) return true;
    throw new CredentialsAreNotValid();
  }
}

/** Digests are of one length, so that the comparison takes the same time whatever was sent. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** For routes between processes of one service: the internal token instead of a caller. */
export const InternalOnly = () => applyDecorators(Public(), UseGuards(InternalTokenGuard));
