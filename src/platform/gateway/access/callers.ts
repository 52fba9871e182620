import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { AcceptsApiKey, AlternativeCredential, OrganizationNotFound, Public, type Scope } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses, SERVICE_TOKEN_AUTH, Unlimited } from '#libs/http';
import type { AiCapability, Capability } from './attribution.js';
import { ACCEPTED_CALLERS, type AcceptedCallers, CallerGuard } from './caller.guard.js';
import { OrganizationIsMissing, PlatformRoleIsMissing, ServiceIsNotAuthenticated } from './caller.errors.js';
import { applicationHeader, organizationHeader, userHeader } from './documented-headers.js';
import { PLATFORM_ADMINS, PLATFORM_SUPER_ADMINS } from './platform-administrators.js';

/** Scope of people and API keys that use the AI routes. */
const INVOKE = 'ai.invoke';

/** Who may call the route, with its documentation. Services are not limited, because they limit their own callers. */
export function Callers(accepted: AcceptedCallers): ClassDecorator & MethodDecorator {
  const guarded = [SetMetadata(ACCEPTED_CALLERS, accepted), UseGuards(CallerGuard)];
  if (accepted.platform)
    return applyDecorators(...guarded, ApiBearerAuth(BEARER_AUTH), problemResponses(PlatformRoleIsMissing));
  return applyDecorators(
    ...guarded,
    ...credentials(accepted),
    ...headers(accepted),
    problemResponses(OrganizationIsMissing, OrganizationNotFound),
  );
}

function credentials({ services, people }: AcceptedCallers) {
  if (people === undefined)
    return [
      Public(),
      Unlimited(),
      ApiSecurity(SERVICE_TOKEN_AUTH),
      problemResponses(ServiceIsNotAuthenticated),
    ];
  return [
    AcceptsApiKey(),
    ApiBearerAuth(BEARER_AUTH),
    ApiSecurity(API_KEY_AUTH),
    ...(services === undefined
      ? []
      : [AlternativeCredential('x-service-token'), ApiSecurity(SERVICE_TOKEN_AUTH)]),
    ApiExtension('x-required-scopes', [people]),
  ];
}

function headers({ services, people }: AcceptedCallers) {
  const isRequired = people === undefined;
  if (services === undefined) return [organizationHeader(isRequired)];
  return [applicationHeader(isRequired), organizationHeader(isRequired), userHeader()];
}

/** For routes that only services call with their token. @param services what the application must be allowed to use */
export const ServiceCallers = (services: Capability) => Callers({ services });

/**
 * For AI routes: services with their token, and people and API keys with the scope `ai.invoke`. Calls of the latter are attributed
 * to the gateway's own registration.
 */
export const AiCallers = (services: AiCapability | 'of-path') =>
  Callers({ services, people: INVOKE, attributesPeople: true });

/**
 * For routes of people and API keys about one organization: that of X-Organization-Id, or their only one with the scope. An
 * organization of others does not exist for the caller (404).
 */
export const OrganizationCallers = (people: Scope) => Callers({ people });

/** For routes of platform_admin and platform_super_admin, members of the administrative organization. */
export const PlatformAdmins = () => Callers({ platform: PLATFORM_ADMINS });

/** For routes of platform_super_admin only, members of the administrative organization. */
export const PlatformSuperAdmins = () => Callers({ platform: PLATFORM_SUPER_ADMINS });
