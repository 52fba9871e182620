import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller } from '#libs/auth';
import { AcceptsApiKey, AlternativeCredential, CredentialsAreNotValid } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses, SERVICE_TOKEN_AUTH } from '#libs/http';
import { IdentityIsUnavailable } from '#libs/platform-client';
import { OWN_SLUG } from './own-slug.js';
import type { AiCapability, Attribution, Capability } from './attribution.js';
import { capabilityInPath } from './capability-in-path.js';
import { setAttribution } from './current-attribution.js';
import { applicationHeader, organizationHeader, userHeader } from './documented-headers.js';
import { organizationOfRequest } from './organization-callers.js';
import { Registrations } from './registrations.js';
import { ServiceAuthentication } from './service-authentication.js';
import { CAPABILITY, capabilityOf } from './service-callers.js';

/** Scope of people and API keys that use the AI routes. */
const INVOKE = 'ai.invoke';

/** The capability is the parameter `capability` of the path. */
const OF_PATH = 'of-path';

/** Services by their token, others by the bearer or API key that the global guard has validated. */
@Injectable()
export class AiCallerGuard implements CanActivate {
  constructor(
    private readonly services: ServiceAuthentication,
    private readonly registrations: Registrations,
    private readonly reflector: Reflector,
  ) {}

  /** @throws CapabilityIsUnknown, and as `ServiceAuthentication.authenticate` and `organizationOfRequest` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    const capability = this.capabilityOf(request, context);
    const attribution =
      request.header('x-service-token') === undefined
        ? await this.ofCaller(request)
        : await this.services.authenticate(request, capability);
    setAttribution(request, attribution);
    return true;
  }

  private capabilityOf(request: Request, context: ExecutionContext): Capability {
    const capability = capabilityOf(this.reflector, context) as Capability | typeof OF_PATH;
    return capability === OF_PATH ? capabilityInPath(request.params.capability) : capability;
  }

  private async ofCaller(request: Request & { user?: Caller }): Promise<Attribution> {
    const { user: caller } = request;
    if (!caller) throw new CredentialsAreNotValid();
    const organizationId = organizationOfRequest(request, caller, INVOKE);
    const applicationId = await this.registrations.idOf(OWN_SLUG);
    if (applicationId === null)
      throw new IdentityIsUnavailable(new Error(`${OWN_SLUG} is not registered at identity.`));
    const userId = caller.isAutomation ? null : caller.id;
    return { applicationId, application: OWN_SLUG, organizationId, userId };
  }
}

/**
 * For AI routes: services with their token, and people and API keys with the scope `ai.invoke`. Calls of the latter are attributed
 * to the gateway's own registration. Services are not limited, others are.
 * @param capability what an application must be allowed to use; `of-path`: the parameter `capability` of the path
 */
export const AiCallers = (capability: AiCapability | typeof OF_PATH) =>
  applyDecorators(
    SetMetadata(CAPABILITY, capability),
    AlternativeCredential('x-service-token'),
    AcceptsApiKey(),
    UseGuards(AiCallerGuard),
    ApiBearerAuth(BEARER_AUTH),
    ApiSecurity(API_KEY_AUTH),
    ApiSecurity(SERVICE_TOKEN_AUTH),
    ApiExtension('x-required-scopes', [INVOKE]),
    applicationHeader(false),
    organizationHeader(false),
    userHeader(),
    problemResponses(400, 401, 403, 404),
  );
