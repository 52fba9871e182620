import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { ALTERNATIVE_CREDENTIAL, hasAlternative, IS_PUBLIC, setPrincipal } from '#libs/http';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { AuthConfig } from './auth.config.js';
import { CredentialsAreNotValid } from './auth.errors.js';
import { BearerStrategy } from './bearer.strategy.js';
import { API_KEY_PREFIX } from '#libs/platform-client';
import type { Caller } from './caller.js';
import { ACCEPTS_API_KEY } from './decorators.js';
import { serviceOf } from './scopes.guard.js';

/** Every route needs a caller unless it is public. Identity validates the credentials on every request. */
@Injectable()
export class AuthenticationGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: AuthConfig,
    bearer: BearerStrategy,
    apiKey: ApiKeyStrategy,
  ) {
    super({ defaultStrategy: [bearer.name, apiKey.name] });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.hasMetadata(IS_PUBLIC, context)) return true;
    const request = context.switchToHttp().getRequest<Request & { user: Caller }>();
    const alternative = this.reflector.getAllAndOverride<string | undefined>(ALTERNATIVE_CREDENTIAL, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (hasAlternative(request, alternative)) return true;
    await super.canActivate(context);
    const { type, id, organizations, isAutomation } = request.user;
    const organizationIds = organizations.map((organization) => organization.id);
    setPrincipal(request, `${type}:${id}`, organizationIds, isAutomation ? organizationIds[0] : undefined);
    return true;
  }

  override getAuthenticateOptions(context: ExecutionContext) {
    return { acceptsApiKey: this.hasMetadata(ACCEPTS_API_KEY, context), service: this.serviceOf(context) };
  }

  /** @throws CredentialsAreNotValid, or the strategy's error: an outage is not a 401. */
  override handleRequest<User>(
    error: Error | null,
    caller: User | false,
    _: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error;
    if (caller) return caller;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const challenge = challengeFor(request, this.serviceOf(context));
    http.getResponse<Response>().setHeader('WWW-Authenticate', challenge);
    throw new CredentialsAreNotValid(misplacedKeyIn(request, this.hasMetadata(ACCEPTS_API_KEY, context)));
  }

  private serviceOf(context: ExecutionContext): string {
    return serviceOf(context, this.reflector, this.config);
  }

  private hasMetadata(what: string, context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(what, targets) ?? false;
  }
}

/** How an API key was sent that no credential of the operation can be. */
function misplacedKeyIn({ headers }: Request, acceptsApiKey: boolean) {
  const [, token = ''] = headers.authorization?.split(/ +/, 2) ?? [];
  if (token.startsWith(API_KEY_PREFIX)) return 'behind Bearer';
  const isAlone = headers.authorization === undefined && headers['x-api-key'] !== undefined;
  return isAlone && !acceptsApiKey ? 'on an operation without keys' : undefined;
}

/** RFC 6750, section 3: no error code when nothing was sent. */
function challengeFor(request: Request, realm: string): string {
  const sent = request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined;
  return `Bearer realm="${realm}"${sent ? ', error="invalid_token"' : ''}`;
}
