import { Injectable } from '@nestjs/common';
import { PeriodicSweep } from '#libs/due-work';
import { PreparationsStore } from '../preparations/preparations.store.js';
import { type ReencryptedBatch, TokensStore } from '../tokens/tokens.store.js';

const EVERY_MS = 10 * 60_000;
const BATCH = 100;

/**
 * Encrypts stored tokens with the newest key, so that an operator can remove former keys. Repeated, because during a rolling restart
 * some processes still encrypt with the former key. Every replica may run it at any time without a lease: a row that another process
 * changed is left unchanged.
 */
@Injectable()
export class ReencryptTokens extends PeriodicSweep {
  constructor(
    private readonly tokens: TokensStore,
    private readonly preparations: PreparationsStore,
  ) {
    super(EVERY_MS);
  }

  protected override async work(): Promise<void> {
    const { reencrypted, unreadable } = await this.sweep();
    const prepared = await this.preparations.reencrypt();
    if (prepared > 0)
      this.logger.log(`The preparations of ${prepared} posts were encrypted with the newest key.`);
    if (reencrypted > 0)
      this.logger.log(`Tokens of ${reencrypted} connections were encrypted with the newest key.`);
    if (unreadable > 0)
      this.logger.warn(
        `Tokens of ${unreadable} connections cannot be decrypted with the configured keys. Add the former key to ENCRYPTION_KEYS.`,
      );
  }

  /** @returns numbers of connections */
  async sweep(): Promise<ReencryptedBatch> {
    let [reencrypted, unreadable] = [0, 0];
    for await (const batch of this.tokens.reencrypt(BATCH)) {
      reencrypted += batch.reencrypted;
      unreadable += batch.unreadable;
      if (this.isStopping) break;
    }
    return { reencrypted, unreadable };
  }
}
