import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { SoftLimitsSweep } from './limits/soft-limits.sweep.js';
import { Corrections } from './corrections/corrections.js';
import { CorrectionsController } from './corrections/corrections.controller.js';
import { SpendCounters } from './ledger/spend-counters.js';
import { StoredSpendLedger } from './ledger/stored-spend-ledger.js';
import { LimitAccess } from './limits/limit-access.js';
import { LimitOptionsController } from './limits/limit-options.controller.js';
import { Limits } from './limits/limits.js';
import { LimitsController } from './limits/limits.controller.js';
import { LimitsStore } from './limits/limits.store.js';
import { UsageController } from './report/usage.controller.js';
import { UsageExport } from './report/usage-export.js';
import { UsageReport } from './report/usage-report.js';
import { RollupsSweep, UsageRollups } from './rollups/usage-rollups.js';
import { SpendLedger } from './spend/spend-ledger.js';
import { SpendMetrics } from './spend/spend.metrics.js';
import { UsageConfig } from './usage.config.js';
import { UsageSweep } from './usage.sweep.js';

/** What calls may cost and did cost. */
@Module({
  controllers: [CorrectionsController, LimitOptionsController, LimitsController, UsageController],
  providers: [
    provideConfig(UsageConfig),
    { provide: SpendLedger, useClass: StoredSpendLedger },
    SpendMetrics,
    SpendCounters,
    Corrections,
    LimitsStore,
    LimitAccess,
    Limits,
    UsageReport,
    UsageExport,
    UsageRollups,
    UsageSweep,
    RollupsSweep,
    SoftLimitsSweep,
  ],
  exports: [SpendLedger, LimitsStore, UsageReport],
})
export class UsageModule {}
