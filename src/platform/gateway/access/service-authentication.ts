import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { setPrincipal } from '#libs/http';
import { OrganizationNotFound } from '#libs/auth';
import { ApplicationTokens } from './application-tokens.js';
import type { Attribution, Capability } from './attribution.js';
import { Attributions } from './attributions.js';
import {
  ApplicationIsNotCallers,
  CapabilityIsNotAllowed,
  DelegationIsRefused,
  OrganizationIsMissing,
  ServiceIsNotAuthenticated,
  SharedTokenIsNotEnough,
  UserIsNotUuid,
} from './caller.errors.js';
import { Capabilities } from './capabilities.js';
import { uuidIn } from './headers.js';

/**
 * Authenticates a calling service by its token, and verifies at identity which application it is and on whose behalf it calls. A
 * request that is not recognized is refused, also while identity gives no response.
 */
@Injectable()
export class ServiceAuthentication {
  constructor(
    private readonly tokens: ApplicationTokens,
    private readonly attributions: Attributions,
    private readonly capabilities: Capabilities,
  ) {}

  /**
   * @throws ServiceIsNotAuthenticated, SharedTokenIsNotEnough, ApplicationIsNotCallers, CapabilityIsNotAllowed, OrganizationIsMissing,
   * OrganizationNotFound, UserIsNotUuid, DelegationIsRefused, IdentityIsUnavailable
   */
  async authenticate(request: Request, capability: Capability): Promise<Attribution> {
    const recognized = this.tokens.recognize(request.header('x-service-token') ?? '');
    if (!recognized) throw new ServiceIsNotAuthenticated();
    const isShared = recognized.kind === 'shared';
    if (isShared && this.capabilities.needsDedicatedToken(capability)) throw new SharedTokenIsNotEnough();
    const applicationId = uuidIn(request, 'x-application-id');
    if (applicationId === null) throw new ApplicationIsNotCallers();
    const organizationId = uuidIn(request, 'x-organization-id');
    if (organizationId === null) throw new OrganizationIsMissing();
    const userId = uuidIn(request, 'x-user-id');
    if (userId === null && request.header('x-user-id') !== undefined) throw new UserIsNotUuid();
    const verified = await this.attributions.verify({ applicationId, organizationId, userId });
    const { application } = verified;
    if (application === null || !this.tokens.isAcceptedFor(recognized, application))
      throw new ApplicationIsNotCallers();
    if (isShared && this.capabilities.isRestricted(application)) throw new SharedTokenIsNotEnough();
    if (!this.capabilities.isAllowed(application, capability))
      throw new CapabilityIsNotAllowed(application, capability);
    if (!verified.organizationExists) throw new OrganizationNotFound();
    if (userId !== null && !verified.isMember) throw new DelegationIsRefused();
    setPrincipal(request, `application:${applicationId}:${organizationId}`, [organizationId]);
    return { applicationId, application, organizationId, userId };
  }
}
