import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Brands } from './brands.stream.js';
import { FindBrandsHandler, GetBrandHandler } from './queries/read-brands.js';

/** The brand queries of other features. Without routes, so that the worker imports it too. */
@Module({
  imports: [CqrsModule],
  providers: [Brands, FindBrandsHandler, GetBrandHandler],
  exports: [Brands],
})
export class BrandsWorkerModule {}
