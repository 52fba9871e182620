import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { IdentityClient } from '#libs/platform-client';
import { AuthConfig } from './auth.config.js';
import { Caller } from './caller.js';
import { outgoingIds } from './outgoing-ids.js';
import { uniqueName } from './unique-name.js';

/** The headers of a request and the service of its route. */
interface BearerRequest extends Pick<Request, 'headers'> {
  readonly service: string;
}

/** RFC 6750: the header only. The package also reads tokens from bodies and query strings, which are logged. */
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
    const headers = { ...request.headers, authorization: withOneSpace(request.headers.authorization) };
    super.authenticate({ headers, service } as BearerRequest & Request);
  }

  /** With an API key, both credentials must be valid and agree. */
  async validate({ headers, service }: BearerRequest): Promise<Caller | false> {
    const { authorization, 'x-api-key': apiKey } = headers;
    const validated = await this.identity.validate({
      authorization,
      apiKey: apiKey?.toString(),
      service,
      ...outgoingIds(),
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

/** RFC 9110, section 11.4: one or more spaces follow the scheme. The package expects one. */
const withOneSpace = (authorization?: string): string | undefined =>
  authorization?.replace(/^(\S+) +/, '$1 ');
