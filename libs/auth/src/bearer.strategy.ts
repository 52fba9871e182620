import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { IdentityClient } from '#libs/platform-client';
import { AuthConfig } from './auth.config.js';
import { Caller } from './caller.js';
import { idsToPassOn } from './ids-to-pass-on.js';
import { uniqueName } from './unique-name.js';

/** What is left of a request: its headers, and the service its route belongs to. */
interface AskedRequest extends Pick<Request, 'headers'> {
  readonly service: string;
}

/** RFC 6750: the header only. The package would also take tokens from bodies and query strings, where they get logged. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) implements OnApplicationShutdown {
  constructor(
    private readonly identity: IdentityClient,
    private readonly config: AuthConfig,
  ) {
    super({ realm: config.service, passReqToCallback: true });
  }

  override authenticate(request: Request, options?: { service?: string }): void {
    const service = options?.service ?? this.config.service;
    super.authenticate({ headers: request.headers, service } as AskedRequest & Request);
  }

  /** A key sent along is checked together with the bearer: both must be valid and agree. */
  async validate({ headers, service }: AskedRequest): Promise<Caller | false> {
    const { authorization, 'x-api-key': apiKey } = headers;
    const validated = await this.identity.validate({
      authorization,
      apiKey: apiKey?.toString(),
      service,
      ...idsToPassOn(),
    });
    return validated ? Caller.of(validated, 'bearer') : false;
  }

  getPassportInstance() {
    this.name = uniqueName('bearer');
    return passport;
  }

  onApplicationShutdown(): void {
    if (this.name) passport.unuse(this.name);
  }
}
