import type { DomainEvent } from '#libs/event-store';

interface Transfer {
  readonly transferredBrandId: string;
  readonly fromOrganizationId: string;
  readonly toOrganizationId: string;
}

/**
 * What a transfer means to either organization. The brand's own history moves along with it, so that each organization needs
 * an entry of its own in its audit chain.
 */
export type BrandTransferredOut = DomainEvent<'BrandTransferredOut', Transfer>;
export type BrandTransferredIn = DomainEvent<'BrandTransferredIn', Transfer>;
