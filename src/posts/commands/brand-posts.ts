import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { BrandNotFound, type Caller, ScopeIsMissing } from '#libs/auth';
import type { Instant } from '#libs/content';
import type { HeldRow } from '#libs/event-store';
import { GetBrand } from '../../brands/index.js';
import { BrandHasMoved } from '../domain/reference.errors.js';
import { requiredScopes } from './posts.access.js';

/** A brand and the organization that it belonged to when the caller was authorized. */
export interface OwnedBrand {
  readonly organizationId: string;
  readonly brandId: string;
  /** The database's time of the authorization. */
  readonly now: Instant;
}

/** Holds the brand while it belongs to this organization: no transfer commits before the append does. */
export const heldBrand = ({ brandId, organizationId }: OwnedBrand): HeldRow => ({
  name: 'brand',
  table: 'brands.brand_owner',
  columns: [
    ['id', 'uuid', brandId],
    ['organization_id', 'uuid', organizationId],
  ],
});

/** Access of callers that create posts of a brand. */
@Injectable()
export class BrandPosts {
  constructor(private readonly queries: QueryBus) {}

  /**
   * @param setsTime schedules a post, which needs more than proposing a time
   * @throws BrandNotFound, ScopeIsMissing
   */
  async authorize(brandId: string, caller: Caller, setsTime: boolean): Promise<OwnedBrand> {
    const { organizationId, now } = await this.queries.execute(new GetBrand({ brandId }));
    const owner = { organizationId, brandId, now };
    const scopes = requiredScopes({ setsTime });
    caller.must('posts.write', owner, () => new BrandNotFound());
    if (scopes.some((scope) => caller.may(scope, owner) !== 'yes')) throw new ScopeIsMissing(scopes);
    return owner;
  }

  /**
   * Locks the brand's row, so that no transfer commits before a running transaction ends. Runs after the append, which must be
   * the first write of the transaction.
   * @throws BrandNotFound for a caller without access to the new organization; BrandHasMoved
   */
  async mustStillBelong(owner: OwnedBrand, caller: Caller): Promise<void> {
    const { brandId } = owner;
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId, held: true }));
    if (organizationId === owner.organizationId) return;
    caller.must('posts.write', { organizationId, brandId }, () => new BrandNotFound());
    throw new BrandHasMoved();
  }
}
