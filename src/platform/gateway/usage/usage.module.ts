import { Module } from '@nestjs/common';
import { StoredSpendLedger } from './ledger/stored-spend-ledger.js';
import { SpendLedger } from './spend-ledger.js';
import { UsageSweep } from './usage.sweep.js';

/** What calls may cost and did cost. */
@Module({
  providers: [{ provide: SpendLedger, useClass: StoredSpendLedger }, UsageSweep],
  exports: [SpendLedger],
})
export class UsageModule {}
