import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Injectable, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '#libs/http';
import { AuthConfig } from './auth.config.js';
import { CredentialsAreNotValid } from './auth.errors.js';
import { TokenDigests } from './token-digests.js';

/** Requires the internal service token. Without a configured token, refuses every request. */
@Injectable()
export class InternalTokenGuard implements CanActivate {
  private readonly tokens: TokenDigests;

  constructor(config: AuthConfig) {
    this.tokens = new TokenDigests(config.internalToken ? [config.internalToken] : []);
  }

  /** @throws CredentialsAreNotValid */
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    const token = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1] ?? '';
    if (this.tokens.has(token)) return true;
    throw new CredentialsAreNotValid();
  }
}

/** For routes between processes of one service: the internal token instead of a caller. */
export const InternalOnly = () => applyDecorators(Public(), UseGuards(InternalTokenGuard));
