import { Module } from '@nestjs/common';
import { Catalog } from './catalog/catalog.js';
import { CatalogSeed } from './catalog/catalog-seed.js';
import { ModelsController } from './catalog/models.controller.js';
import { ModelsStore } from './catalog/models.store.js';
import { PriceStore } from './catalog/price-store.js';
import { PlatformPreferencesController } from './preferences/platform-preferences.controller.js';
import { Preferences } from './preferences/preferences.js';
import { PreferencesController } from './preferences/preferences.controller.js';
import { PreferencesStore } from './preferences/preferences.store.js';

/** The catalog of models, and which of them organizations use. */
@Module({
  controllers: [ModelsController, PreferencesController, PlatformPreferencesController],
  providers: [Catalog, CatalogSeed, ModelsStore, Preferences, PreferencesStore, PriceStore],
})
export class ModelsModule {}
