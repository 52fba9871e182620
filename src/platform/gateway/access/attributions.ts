import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { ExpiringMap } from '#libs/concurrency';
import { IdentityClient } from '#libs/platform-client';

/** Slug of the provider gateway at identity; also the realm of its challenges. */
export const OWN_SLUG = 'provider-gateway';

/** A registered identifier never changes its application, and an organization is rarely deleted. */
const REGISTERED_FOR_MS = 60_000;
/** A person who leaves an organization can be named by an application for this long. */
const MEMBER_FOR_MS = 5_000;

interface Claim {
  readonly applicationId: string;
  readonly organizationId: string;
  readonly userId: string | null;
}

export interface Verified {
  /** Slug of the application; null: not registered. */
  readonly application: string | null;
  readonly organizationExists: boolean;
  readonly isMember: boolean;
}

/**
 * Asks identity whether an application, an organization and a member exist, in one request. Remembers only what exists, for a
 * bounded time (docs/design/gateway.md). The applications themselves are authenticated on every call.
 */
@Injectable()
export class Attributions {
  private readonly applications: ExpiringMap<string>;
  private readonly organizations: ExpiringMap<true>;
  private readonly members: ExpiringMap<true>;
  private readonly own: ExpiringMap<string>;

  constructor(
    private readonly identity: IdentityClient,
    private readonly clock: Clock,
  ) {
    const monotonic = () => clock.monotonic();
    this.applications = new ExpiringMap(REGISTERED_FOR_MS, monotonic);
    this.organizations = new ExpiringMap(REGISTERED_FOR_MS, monotonic);
    this.members = new ExpiringMap(MEMBER_FOR_MS, monotonic);
    this.own = new ExpiringMap(REGISTERED_FOR_MS, monotonic);
  }

  /** The registered identifier of the gateway itself; null: it is not registered. @throws IdentityIsUnavailable */
  async ownId(): Promise<string | null> {
    const known = this.own.get(OWN_SLUG);
    if (known !== undefined) return known;
    const readAt = this.clock.monotonic();
    const found = await this.identity.registration(OWN_SLUG);
    if (found) this.own.set(OWN_SLUG, found.id, readAt);
    return found?.id ?? null;
  }

  /** Synchronous while everything is known. @throws IdentityIsUnavailable */
  verify(claim: Claim): Verified | Promise<Verified> {
    const application = this.applications.get(claim.applicationId);
    const organizationExists = this.organizations.get(claim.organizationId) ?? false;
    const isMember = claim.userId !== null && (this.members.get(memberKey(claim)) ?? false);
    const isKnown = application !== undefined && organizationExists && (claim.userId === null || isMember);
    return isKnown ? { application, organizationExists, isMember } : this.ask(claim);
  }

  private async ask(claim: Claim): Promise<Verified> {
    const { applicationId, organizationId, userId } = claim;
    const readAt = this.clock.monotonic();
    const named = { applicationId, organizationId, ...(userId === null ? {} : { userId }) };
    const { application, organizationExists, isMember } = await this.identity.verifyAttribution(named);
    if (application) this.applications.set(applicationId, application.slug, readAt);
    if (organizationExists) this.organizations.set(organizationId, true, readAt);
    if (isMember) this.members.set(memberKey(claim), true, readAt);
    return { application: application?.slug ?? null, organizationExists, isMember };
  }
}

const memberKey = ({ organizationId, userId }: Claim): string => `${organizationId} ${userId}`;
