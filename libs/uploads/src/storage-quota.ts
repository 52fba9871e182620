import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '#libs/database';
import { Database, statement } from '#libs/database';
import { StorageQuotaIsExceeded } from './upload.errors.js';
import { UploadsConfig } from './uploads.config.js';

const USED = statement(
  'storage_used',
  'SELECT bytes::text FROM uploads.storage_use WHERE organization_id = $1',
);

/**
 * * The quota of stored bytes per organization. A feature counts its files with `uploads.count_bytes` in the transaction that
 * writes or deletes their rows. That locks the organization's row of `uploads.storage_use` until the commit.
 */
@Injectable()
export class StorageQuota {
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

  /**
   * * Refuses a transaction that exceeds the quota. Concurrent uploads see all that committed before.
   * @throws StorageQuotaIsExceeded
   */
  async assertWithinQuota(transaction: Transaction, organizationId: string): Promise<void> {
    await this.assertFits(transaction, organizationId, 0);
  }

  private async assertFits(executor: Executor, organizationId: string, more: number): Promise<void> {
    const { quotaBytes } = this.config;
    const [row] = await executor.query<{ bytes: string }>(USED, [organizationId]);
    if (Number(row?.bytes ?? 0) + more > quotaBytes) throw new StorageQuotaIsExceeded(quotaBytes);
  }
}
