import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Injectable, UseGuards } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { TokenDigests } from '#libs/auth';
import { DomainError } from '#libs/errors';
import { problemResponses } from '#libs/http';
import { IdentityConfig } from '../identity.config.js';
import { ValidationMetrics } from './validation.metrics.js';

const HEADER = 'x-service-token';

/** Forbidden and not unauthenticated: 401 is the answer about the credentials that were asked about. */
export class ServiceIsNotAuthenticated extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'service_not_authenticated';

  constructor() {
    super(
      'This is for services. Send X-Service-Token with one of the tokens that identity is configured with.',
    );
  }
}

/** Lets in services that show one of the configured tokens. Asks no database. */
@Injectable()
export class ServiceCredentialGuard implements CanActivate {
  private readonly tokens: TokenDigests;

  constructor(
    config: IdentityConfig,
    private readonly metrics: ValidationMetrics,
  ) {
    const entries = config.serviceTokens.split(',');
    this.tokens = new TokenDigests(entries.map((entry) => entry.slice(entry.indexOf(':') + 1)));
  }

  /** @throws ServiceIsNotAuthenticated */
  canActivate(context: ExecutionContext): boolean {
    if (this.tokens.has(context.switchToHttp().getRequest<Request>().header(HEADER) ?? '')) return true;
    this.metrics.count('service_refused');
    throw new ServiceIsNotAuthenticated();
  }
}

/** For routes that services ask, in the name of a service and not of a caller. */
export const ServicesOnly = () =>
  applyDecorators(
    UseGuards(ServiceCredentialGuard),
    ApiHeader({
      name: 'X-Service-Token',
      required: true,
      description: 'A token of IDENTITY_SERVICE_TOKENS: which service asks.',
      schema: { type: 'string', minLength: 32 },
    }),
    problemResponses(403),
  );
