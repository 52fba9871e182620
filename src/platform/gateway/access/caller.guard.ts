import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { type Caller, CredentialsAreNotValid, type PlatformPrincipal, type Scope } from '#libs/auth';
import { IdentityIsUnavailable } from '#libs/platform-client';
import { type Attribution, type Capability, capabilityInPath } from './attribution.js';
import { type Access, setAccess } from './current-access.js';
import { organizationOfRequest } from './organization-of-request.js';
import { Attributions, OWN_SLUG } from './attributions.js';
import { mustAdministerPlatform } from './platform-administrators.js';
import { ServiceAuthentication } from './service-authentication.js';

/** The callers of a route. At least one member is set. */
export interface AcceptedCallers {
  /** Services whose application may use the capability; `of-path`: the parameter `capability` of the path. */
  readonly services?: Capability | 'of-path';
  /** People and API keys with the scope in the organization that the request is about. */
  readonly people?: Scope;
  /** Whether calls of people are attributed to the gateway's own registration. */
  readonly attributesPeople?: boolean;
  /** People of one of the types in the administrative organization. */
  readonly platform?: readonly PlatformPrincipal[];
}

export const ACCEPTED_CALLERS = 'gateway:accepted-callers';

type Called = Request & { user?: Caller };

/** Services by their token, others by the bearer or API key that the global guard has validated. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly services: ServiceAuthentication,
    private readonly attributions: Attributions,
    private readonly reflector: Reflector,
  ) {}

  /**
   * @throws CapabilityIsUnknown, PlatformRoleIsMissing, and as `ServiceAuthentication.authenticate` and `organizationOfRequest`
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Called>();
    const targets = [context.getHandler(), context.getClass()];
    const accepted = this.reflector.getAllAndOverride<AcceptedCallers>(ACCEPTED_CALLERS, targets);
    if (accepted.platform) mustAdministerPlatform(personIn(request), accepted.platform);
    else setAccess(request, await this.access(request, accepted));
    return true;
  }

  private async access(
    request: Called,
    { services, people, attributesPeople = false }: AcceptedCallers,
  ): Promise<Access> {
    const capability = services === 'of-path' ? capabilityInPath(request.params.capability) : services;
    const isService = people === undefined || request.header('x-service-token') !== undefined;
    if (capability !== undefined && isService) {
      const attribution = await this.services.authenticate(request, capability);
      return { organizationId: attribution.organizationId, attribution };
    }
    const caller = personIn(request);
    if (people === undefined) throw new CredentialsAreNotValid();
    const organizationId = organizationOfRequest(request, caller, people);
    const attribution = attributesPeople ? await this.ownAttribution(caller, organizationId) : null;
    return { organizationId, attribution };
  }

  private async ownAttribution(caller: Caller, organizationId: string): Promise<Attribution> {
    const applicationId = await this.attributions.ownId();
    if (applicationId === null)
      throw new IdentityIsUnavailable(new Error(`${OWN_SLUG} is not registered at identity.`));
    const userId = caller.isAutomation ? null : caller.id;
    return { applicationId, application: OWN_SLUG, organizationId, userId };
  }
}

function personIn({ user }: Called): Caller {
  if (!user) throw new CredentialsAreNotValid();
  return user;
}
