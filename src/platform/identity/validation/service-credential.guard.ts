import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { TokenDigests } from '#libs/auth';
import { domainError } from '#libs/errors';
import { problemResponses } from '#libs/http';
import { IdentityConfig } from '../identity.config.js';
import { ValidationMetrics } from './validation.metrics.js';

const HEADER = 'x-service-token';

/** 403 and not 401: 401 means that the validated credentials are refused. */
export class ServiceIsNotAuthenticated extends domainError(
  'forbidden',
  'service_not_authenticated',
  'Only services can call this route. Send X-Service-Token with one of the tokens configured in identity.',
) {}

/** Authenticates services by the configured tokens, without a database query. */
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

  canActivate(context: ExecutionContext): boolean {
    if (this.tokens.has(context.switchToHttp().getRequest<Request>().header(HEADER) ?? '')) return true;
    this.metrics.count('service_refused');
    throw new ServiceIsNotAuthenticated();
  }
}

/** For routes that services call for themselves and not for a caller. */
export const ServicesOnly = () =>
  applyDecorators(
    UseGuards(ServiceCredentialGuard),
    ApiHeader({
      name: 'X-Service-Token',
      required: true,
      description: 'A token of IDENTITY_SERVICE_TOKENS; it authenticates the calling service.',
      schema: { type: 'string', minLength: 32 },
    }),
    problemResponses(ServiceIsNotAuthenticated),
  );
