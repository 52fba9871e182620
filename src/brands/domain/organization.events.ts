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
