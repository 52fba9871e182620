import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '#libs/auth';
import { problemResponses, SERVICE_TOKEN_AUTH, Unlimited } from '#libs/http';
import type { Capability } from './attribution.js';
import { setAttribution } from './current-attribution.js';
import { applicationHeader, organizationHeader, userHeader } from './documented-headers.js';
import { ServiceAuthentication } from './service-authentication.js';

export { CurrentAttribution } from './current-attribution.js';

export const CAPABILITY = 'gateway:capability';

/** The capability of the route. */
export const capabilityOf = (reflector: Reflector, context: ExecutionContext): Capability =>
  reflector.getAllAndOverride<Capability>(CAPABILITY, [context.getHandler(), context.getClass()]);

@Injectable()
export class ServiceCallerGuard implements CanActivate {
  constructor(
    private readonly services: ServiceAuthentication,
    private readonly reflector: Reflector,
  ) {}

  /** @throws as `ServiceAuthentication.authenticate` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const capability = capabilityOf(this.reflector, context);
    setAttribution(request, await this.services.authenticate(request, capability));
    return true;
  }
}

/**
 * For routes that services call with their token. Unlimited, because services limit their own callers.
 * @param capability what the application must be allowed to use
 */
export const ServiceCallers = (capability: Capability) =>
  applyDecorators(
    SetMetadata(CAPABILITY, capability),
    Public(),
    Unlimited(),
    UseGuards(ServiceCallerGuard),
    ApiSecurity(SERVICE_TOKEN_AUTH),
    applicationHeader(true),
    organizationHeader(true),
    userHeader(),
    problemResponses(400, 403, 404),
  );
