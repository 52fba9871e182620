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
 * How many bytes of files an organization keeps. A feature that stores files counts them in the transaction that writes or
 * deletes their rows, by `uploads.count_bytes`; its row of `uploads.storage_use` is locked from there to the commit.
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
  async mustHaveRoom(organizationId: string, atLeast: number): Promise<void> {
    await this.mustFit(this.database, organizationId, atLeast);
  }

  /**
   * Refuses what the transaction has counted. Of uploads that end at once each sees those that committed before it.
   * @throws StorageQuotaIsExceeded
   */
  async mustHold(transaction: Transaction, organizationId: string): Promise<void> {
    await this.mustFit(transaction, organizationId, 0);
  }

  private async mustFit(executor: Executor, organizationId: string, more: number): Promise<void> {
    const { quotaBytes } = this.config;
    const [row] = await executor.query<{ bytes: string }>(USED, [organizationId]);
    if (Number(row?.bytes ?? 0) + more > quotaBytes) throw new StorageQuotaIsExceeded(quotaBytes);
  }
}
