import type { DomainEvent } from '#libs/event-store';

interface Transfer {
  readonly transferredBrandId: string;
  readonly fromOrganizationId: string;
  readonly toOrganizationId: string;
}

/**
 * The transfer for each organization. The brand's history moves with it, so that each organization needs an entry in its own
 * audit chain.
 */
export type BrandTransferredOut = DomainEvent<'BrandTransferredOut', Transfer>;
export type BrandTransferredIn = DomainEvent<'BrandTransferredIn', Transfer>;

type Happened<Type extends string, Data> = DomainEvent<Type, { readonly brandId: string } & Data>;

export type BrandCreated = Happened<
  'BrandCreated',
  { readonly organizationId: string; readonly name: string; readonly timezone: string }
>;
export type BrandRenamed = Happened<'BrandRenamed', { readonly name: string }>;
/** IANA name. Defines the days of the rollups from now on, past days included. */
export type BrandTimezoneChanged = Happened<'BrandTimezoneChanged', { readonly timezone: string }>;
/** Posts, connections and history move with the brand; the former organization loses access. */
export type BrandTransferred = Happened<'BrandTransferred', { readonly from: string; readonly to: string }>;

export type BrandEvent = BrandCreated | BrandRenamed | BrandTimezoneChanged | BrandTransferred;
