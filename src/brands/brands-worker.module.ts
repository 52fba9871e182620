import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Brands } from './brands.stream.js';
import { FindBrandsHandler } from './queries/find-brands.js';
import { GetBrandHandler } from './queries/get-brand.js';

/** What other rooms ask of brands; without routes, so that workers have it too. */
@Module({
  imports: [CqrsModule],
  providers: [Brands, FindBrandsHandler, GetBrandHandler],
  exports: [Brands],
})
export class BrandsWorkerModule {}
