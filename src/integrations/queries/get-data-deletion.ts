import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DataDeletionNotFound } from '../domain/integration.errors.js';
import { networkOf } from '../networks.js';
import { type CallbackRecord, SignedCallbacksStore } from '../signed-callbacks/signed-callbacks.store.js';

export interface DataDeletion extends CallbackRecord {
  readonly displayName: string;
}

/** A completed deletion: it is recorded in the transaction that deletes. @throws DataDeletionNotFound */
export class GetDataDeletion extends Query<DataDeletion> {
  constructor(readonly code: string) {
    super();
  }
}

const CODE = /^[0-9a-f]{32}$/;

@QueryHandler(GetDataDeletion)
export class GetDataDeletionHandler implements IQueryHandler<GetDataDeletion> {
  constructor(private readonly store: SignedCallbacksStore) {}

  async execute({ code }: GetDataDeletion): Promise<DataDeletion> {
    const record = CODE.test(code) ? await this.store.ofCode(code) : null;
    if (!record) throw new DataDeletionNotFound();
    return { ...record, displayName: networkOf(record.platform).displayName };
  }
}
