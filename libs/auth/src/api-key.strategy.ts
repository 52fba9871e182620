import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport, { Strategy } from 'passport';
import { IdentityClient } from '#libs/platform-client';
import { AuthConfig } from './auth.config.js';
import { Caller } from './caller.js';
import { outgoingIds } from './outgoing-ids.js';
import { uniqueName } from './unique-name.js';

type Done = (error: unknown, user?: object | false | null) => void;

/** A passport strategy for a credential that is a complete header value. */
class HeaderStrategy extends Strategy {
  constructor(
    private readonly header: string,
    private readonly verify: (credential: string, done: Done) => void,
  ) {
    super();
    this.name = header;
  }

  override authenticate(request: Request, _options?: object): void {
    const credential = request.headers[this.header];
    if (typeof credential !== 'string' || credential === '') return this.fail();
    this.verify(credential, (error, user) => {
      if (error) return this.error(error);
      return user ? this.success(user) : this.fail();
    });
  }
}

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
