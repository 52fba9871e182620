import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, createParamDecorator, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiHeader, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public, TokenDigests } from '#libs/auth';
import { isUuid, problemResponses, SERVICE_TOKEN_AUTH, setPrincipal, Unlimited } from '#libs/http';
import { GatewayConfig } from '../gateway.config.js';
import {
  ApplicationIsNotCallers,
  OrganizationIsMissing,
  ServiceIsNotAuthenticated,
} from './caller.errors.js';
import type { Attribution, Capability } from './attribution.js';
import { Registrations } from './registrations.js';

const ATTRIBUTION = Symbol('attribution');

type Attributed = Request & { [ATTRIBUTION]?: Attribution };

/**
 * Authenticates the calling service by its token, and its claim to be an application by the registry of identity. Every request
 * that is not recognized is refused, also while identity gives no response.
 */
@Injectable()
export class ServiceCallerGuard implements CanActivate {
  private readonly applications: readonly { readonly slug: string; readonly tokens: TokenDigests }[];

  constructor(
    { serviceTokens }: GatewayConfig,
    private readonly registrations: Registrations,
  ) {
    const entries = serviceTokens.split(',').map((entry) => entry.split(':') as [string, string]);
    this.applications = [...new Set(entries.map(([slug]) => slug))].map((slug) => ({
      slug,
      tokens: new TokenDigests(entries.filter(([name]) => name === slug).map(([, token]) => token)),
    }));
  }

  /** @throws ServiceIsNotAuthenticated, ApplicationIsNotCallers, OrganizationIsMissing, IdentityIsUnavailable */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Attributed>();
    const slug = this.slugOf(request.header('x-service-token') ?? '');
    if (slug === undefined) throw new ServiceIsNotAuthenticated();
    const applicationId = uuidIn(request, 'x-application-id');
    if (applicationId === null || (await this.registrations.idOf(slug)) !== applicationId)
      throw new ApplicationIsNotCallers();
    const organizationId = uuidIn(request, 'x-organization-id');
    if (organizationId === null) throw new OrganizationIsMissing();
    request[ATTRIBUTION] = { applicationId, application: slug, organizationId, userId: null };
    setPrincipal(request, `application:${applicationId}:${organizationId}`, [organizationId]);
    return true;
  }

  /** Compares the tokens of all applications, even after a match. */
  private slugOf(token: string): string | undefined {
    return this.applications.filter(({ tokens }) => tokens.has(token))[0]?.slug;
  }
}

/** In lower case; null for anything else than a UUID. */
function uuidIn(request: Request, header: string): string | null {
  const value = request.header(header)?.trim() ?? '';
  return isUuid(value) ? value.toLowerCase() : null;
}

/** The application and the organization of this request; only on routes of `ServiceCallers`. */
export const CurrentAttribution = createParamDecorator(
  (_: unknown, context: ExecutionContext): Attribution => {
    const attribution = context.switchToHttp().getRequest<Attributed>()[ATTRIBUTION];
    if (!attribution) throw new ServiceIsNotAuthenticated();
    return attribution;
  },
);

const header = (name: string, description: string, schema: object) =>
  ApiHeader({ name, required: true, description, schema: { type: 'string', ...schema } });

const CAPABILITY = 'gateway:capability';

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
    header('X-Application-Id', 'The registered identifier of the calling application at identity.', {
      format: 'uuid',
    }),
    header('X-Organization-Id', 'The organization that the call is made for.', { format: 'uuid' }),
    problemResponses(400, 403),
  );
