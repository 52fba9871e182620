import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { StoredSpendLedger } from './ledger/stored-spend-ledger.js';
import { RollupsSweep } from './rollups/rollups.sweep.js';
import { UsageRollups } from './rollups/usage-rollups.js';
import { SpendLedger } from './spend-ledger.js';
import { UsageConfig } from './usage.config.js';
import { UsageSweep } from './usage.sweep.js';

/** What calls may cost and did cost. */
@Module({
  providers: [
    provideConfig(UsageConfig),
    { provide: SpendLedger, useClass: StoredSpendLedger },
    UsageRollups,
    UsageSweep,
    RollupsSweep,
  ],
  exports: [SpendLedger],
})
export class UsageModule {}
