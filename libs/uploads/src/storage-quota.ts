import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '#libs/concurrency';
import { Database, type Executor, statement, type Transaction } from '#libs/database';
import { StorageQuotaIsExceeded, UploadsAreBusy } from './upload.errors.js';
import { UploadsConfig } from './uploads.config.js';

const USED = statement(
  'storage_used',
  'SELECT bytes::text FROM uploads.storage_use WHERE organization_id = $1',
);

/** Shorter than clients and proxies wait for a response. */
const MAX_WAIT_MS = 30_000;

/**
 * The quota of stored bytes per organization. A feature counts its files with `uploads.count_bytes` in the transaction that
 * writes or deletes their rows. That locks the organization's row of `uploads.storage_use` until the commit.
 */
@Injectable()
export class StorageQuota {
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly config: UploadsConfig,
  ) {}

  /**
   * Refuses a file that the quota has no space for, before it is received.
   * @param atLeast bytes @throws StorageQuotaIsExceeded
   */
  async assertSpaceFor(organizationId: string, atLeast: number): Promise<void> {
    await this.assertFits(this.database, organizationId, atLeast);
  }

  /** Refuses a transaction that exceeds the quota. Concurrent uploads see all that committed before. */
  async assertWithinQuota(transaction: Transaction, organizationId: string): Promise<void> {
    await this.assertFits(transaction, organizationId, 0);
  }

  /**
   * Runs a transaction that counts bytes of the organization after the earlier ones of this process. They would all wait for the same
   * row with a connection each, and other organizations would get none. Inside of a transaction it runs at once: the connection is taken.
   * @throws UploadsAreBusy before it begins, after 30 seconds
   */
  inTurn<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    if (this.database.isInTransaction) return work();
    const refusal = () => new UploadsAreBusy();
    return this.turns.runExclusive(organizationId, work, { maxMs: MAX_WAIT_MS, refusal });
  }

  private async assertFits(executor: Executor, organizationId: string, more: number): Promise<void> {
    const { quotaBytes } = this.config;
    const [row] = await executor.query<{ bytes: string }>(USED, [organizationId]);
    if (Number(row?.bytes ?? 0) + more > quotaBytes) throw new StorageQuotaIsExceeded(quotaBytes);
  }
}
