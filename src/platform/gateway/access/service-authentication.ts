import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OrganizationNotFound, TokenDigests } from '#libs/auth';
import { setPrincipal } from '#libs/http';
import { GatewayConfig } from '../gateway.config.js';
import { type Attribution, CAPABILITIES, type Capability } from './attribution.js';
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
import { uuidIn } from './organization-of-request.js';

/** What no configuration extends: GW-17 and GW-28 of the specification. */
const AT_MOST: ReadonlyMap<string, readonly Capability[]> = new Map<string, readonly Capability[]>([
  ['mail', ['completions', 'transcriptions']],
  ['settlement', []],
]);

/** Those that a token which any application may send is not enough for. */
const WITH_DEDICATED_TOKEN: readonly Capability[] = ['payments'];

/** The entries of `slug:value,slug:value`. */
const entriesIn = (text: string): [slug: string, value: string][] =>
  text
    .split(',')
    .filter(Boolean)
    .map((entry) => entry.split(':') as [string, string]);

/**
 * Tokens of the services, and what they may use. A new token is added to the old one, so that both are accepted while it is replaced. An
 * application without a restriction may use everything.
 */
@Injectable()
export class Applications {
  private readonly shared: TokenDigests;
  private readonly dedicated: readonly { readonly slug: string; readonly tokens: TokenDigests }[];
  private readonly configured: ReadonlyMap<string, readonly string[]>;

  constructor({ sharedTokens = '', serviceTokens = '', applicationCapabilities = '' }: GatewayConfig) {
    this.shared = new TokenDigests(sharedTokens.split(','));
    const tokens = Map.groupBy(entriesIn(serviceTokens), ([slug]) => slug);
    this.dedicated = [...tokens].map(([slug, entries]) => ({
      slug,
      tokens: new TokenDigests(entries.map(([, token]) => token)),
    }));
    this.configured = new Map(
      entriesIn(applicationCapabilities).map(([slug, capabilities = '']) => [slug, capabilities.split('+')]),
    );
  }

  /**
   * Compares the tokens of all applications, even after a match.
   * @returns the application of a dedicated token; null: of a shared one; undefined: not a configured token
   */
  recognize(token: string): string | null | undefined {
    const isShared = this.shared.has(token);
    const [own] = this.dedicated.filter(({ tokens }) => tokens.has(token));
    return own?.slug ?? (isShared ? null : undefined);
  }

  /** A dedicated token is accepted for its application only, and an application that has one with no shared token. */
  isAcceptedFor(recognized: string | null, slug: string): boolean {
    return recognized === null ? this.dedicated.every((one) => one.slug !== slug) : recognized === slug;
  }

  isAllowed(slug: string, capability: Capability): boolean {
    const [most, configured] = [AT_MOST.get(slug) ?? CAPABILITIES, this.configured.get(slug) ?? CAPABILITIES];
    return most.includes(capability) && configured.includes(capability);
  }

  isRestricted(slug: string): boolean {
    return AT_MOST.has(slug) || this.configured.has(slug);
  }
}

/**
 * Authenticates a calling service by its token, and verifies at identity which application it is and on whose behalf it calls. A
 * request that is not recognized is refused, also while identity gives no response.
 */
@Injectable()
export class ServiceAuthentication {
  constructor(
    private readonly applications: Applications,
    private readonly attributions: Attributions,
  ) {}

  /**
   * @throws ServiceIsNotAuthenticated, SharedTokenIsNotEnough, ApplicationIsNotCallers, CapabilityIsNotAllowed, OrganizationIsMissing,
   * OrganizationNotFound, UserIsNotUuid, DelegationIsRefused, IdentityIsUnavailable
   */
  async authenticate(request: Request, capability: Capability): Promise<Attribution> {
    const recognized = this.applications.recognize(request.header('x-service-token') ?? '');
    if (recognized === undefined) throw new ServiceIsNotAuthenticated();
    const isShared = recognized === null;
    if (isShared && WITH_DEDICATED_TOKEN.includes(capability)) throw new SharedTokenIsNotEnough();
    const applicationId = uuidIn(request, 'x-application-id');
    if (applicationId === null) throw new ApplicationIsNotCallers();
    const organizationId = uuidIn(request, 'x-organization-id');
    if (organizationId === null) throw new OrganizationIsMissing();
    const userId = uuidIn(request, 'x-user-id');
    if (userId === null && request.header('x-user-id') !== undefined) throw new UserIsNotUuid();
    const verified = await this.attributions.verify({ applicationId, organizationId, userId });
    const { application } = verified;
    if (application === null || !this.applications.isAcceptedFor(recognized, application))
      throw new ApplicationIsNotCallers();
    if (isShared && this.applications.isRestricted(application)) throw new SharedTokenIsNotEnough();
    if (!this.applications.isAllowed(application, capability))
      throw new CapabilityIsNotAllowed(application, capability);
    if (!verified.organizationExists) throw new OrganizationNotFound();
    if (userId !== null && !verified.isMember) throw new DelegationIsRefused();
    setPrincipal(request, `application:${applicationId}:${organizationId}`, [organizationId]);
    return { applicationId, application, organizationId, userId };
  }
}
