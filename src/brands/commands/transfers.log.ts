import { Injectable } from '@nestjs/common';
import { type Caller, eventContext } from '#libs/auth';
import type { Transaction } from '#libs/database';
import { EventStore } from '#libs/event-store';
import type { BrandTransferredIn, BrandTransferredOut } from '../domain/brand.events.js';

export interface RecordedTransfer {
  readonly brandId: string;
  readonly from: string;
  readonly to: string;
  readonly caller: Caller;
}

const EVENT_TYPES: Record<(BrandTransferredIn | BrandTransferredOut)['type'], true> = {
  BrandTransferredOut: true,
  BrandTransferredIn: true,
};

/** Appends an event to both organizations, so that each has the transfer in its audit chain. */
@Injectable()
export class TransfersLog {
  constructor(private readonly events: EventStore) {
    events.types.declareUnfolded('organization', EVENT_TYPES);
  }

  /** @throws StreamHasMoved after a concurrent transfer; retry in a new transaction */
  async append(transaction: Transaction, { brandId, from, to, caller }: RecordedTransfer): Promise<void> {
    const data = { transferredBrandId: brandId, fromOrganizationId: from, toOrganizationId: to };
    const out: BrandTransferredOut = { type: 'BrandTransferredOut', data };
    const into: BrandTransferredIn = { type: 'BrandTransferredIn', data };
    const entries = [
      { organizationId: from, event: out },
      { organizationId: to, event: into },
    ];
    // In a fixed order, so that two opposite transfers do not deadlock.
    entries.sort((one, other) => (one.organizationId < other.organizationId ? -1 : 1));
    for (const { organizationId, event } of entries) {
      await this.events.append(transaction, {
        stream: organizationId,
        streamType: 'organization',
        expected: 'any',
        events: [event],
        metadata: eventContext(caller, { organizationId, brandId: null }),
      });
    }
  }
}
