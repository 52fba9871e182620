import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { IdentityClient } from '#libs/platform-client';
import { AuthConfig } from './auth.config.js';
import { Caller } from './caller.js';
import { HeaderStrategy } from './header.strategy.js';
import { idsToPassOn } from './ids-to-pass-on.js';
import { uniqueName } from './unique-name.js';

/** X-Api-Key alone, on routes that accept it. With a bearer beside it, the bearer's strategy has the last word. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderStrategy) implements OnApplicationShutdown {
  constructor(
    private readonly identity: IdentityClient,
    private readonly config: AuthConfig,
  ) {
    super('x-api-key');
  }

  override authenticate(request: Request, options?: { acceptsApiKey?: boolean }): void {
    if (!options?.acceptsApiKey || request.headers.authorization !== undefined) return this.fail();
    super.authenticate(request);
  }

  async validate(apiKey: string): Promise<Caller | false> {
    const { service } = this.config;
    const validated = await this.identity.validate({ apiKey, service, ...idsToPassOn() });
    return validated ? Caller.of(validated, 'api_key') : false;
  }

  getPassportInstance() {
    this.name = uniqueName('api-key');
    return passport;
  }

  onApplicationShutdown(): void {
    if (this.name) passport.unuse(this.name);
  }
}
