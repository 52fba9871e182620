import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AuthConfig } from './auth.config.js';
import { ScopeIsMissing } from './auth.errors.js';
import type { Caller, Scope } from './caller.js';
import { REQUIRED_SCOPES } from './decorators.js';

/** Runs after the authentication guard; see `RequiresScopes`. */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: AuthConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    const required = this.reflector.getAllAndOverride<Scope[] | undefined>(REQUIRED_SCOPES, targets);
    if (!required?.length) return true;
    const http = context.switchToHttp();
    const { user: caller } = http.getRequest<Request & { user?: Caller }>();
    const granted = caller?.organizations.some(({ scopes }) => required.every((one) => scopes.includes(one)));
    if (granted) return true;
    const challenge = `Bearer realm="${this.config.service}", error="insufficient_scope", scope="${required.join(' ')}"`;
    http.getResponse<Response>().setHeader('WWW-Authenticate', challenge);
    throw new ScopeIsMissing(required);
  }
}
