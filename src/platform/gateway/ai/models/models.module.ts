import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { CredentialsModule } from '../../credentials/credentials.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { Catalog } from './catalog/catalog.js';
import { CatalogSeed } from './catalog/catalog-seed.js';
import { ModelsController } from './catalog/models.controller.js';
import { ModelsStore, RefusedModels } from './catalog/models.store.js';
import { Governance } from './governance/governance.js';
import { GovernanceController } from './governance/governance.controller.js';
import { OperatorPrices } from './operator-prices/operator-prices.js';
import { OperatorPricesController } from './operator-prices/operator-prices.controller.js';
import {
  PlatformPreferencesController,
  PreferencesController,
} from './preferences/preferences.controller.js';
import { Preferences } from './preferences/preferences.js';
import { CatalogSources } from './sync/catalog-sources.js';
import { ModelSync } from './sync/model-sync.js';
import { ModelSyncController } from './sync/model-sync.controller.js';
import { ModelSyncSweep } from './sync/model-sync.sweep.js';
import { RetirementAlarms } from './sync/retirement-alarms.js';
import { ModelSyncConfig } from './sync/sync.config.js';

const catalog = [Catalog, CatalogSeed, ModelsStore, RefusedModels];
const sync = [CatalogSources, ModelSync, ModelSyncSweep, RetirementAlarms];

@Module({
  imports: [CredentialsModule, UsageModule],
  controllers: [
    ModelsController,
    ModelSyncController,
    GovernanceController,
    PreferencesController,
    PlatformPreferencesController,
    OperatorPricesController,
  ],
  providers: [provideConfig(ModelSyncConfig), ...catalog, Preferences, ...sync, Governance, OperatorPrices],
  exports: [RefusedModels],
})
export class ModelsModule {}
