import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { IdentityClient } from '#libs/platform-client';
import { AuthConfig } from './auth.config.js';
import { Caller } from './caller.js';
import { HeaderStrategy } from './header.strategy.js';
import { outgoingIds } from './outgoing-ids.js';
import { uniqueName } from './unique-name.js';

/** X-Api-Key without a bearer, on routes that accept it. With a bearer, the bearer's strategy decides. */
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
    const validated = await this.identity.validate({ apiKey, service, ...outgoingIds() });
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
