import { Module } from '@nestjs/common';
import { Catalog } from './catalog/catalog.js';
import { CatalogSeed } from './catalog/catalog-seed.js';
import { PriceStore } from './catalog/price-store.js';

/** The catalog of models, and which of them organizations use. */
@Module({ providers: [Catalog, CatalogSeed, PriceStore] })
export class ModelsModule {}
