import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BrandsController } from './http/brands.controller.js';
import { BrandsWorkerModule } from './brands-worker.module.js';
import { CreateBrandHandler } from './commands/create-brand.js';
import { TransferBrandHandler } from './commands/transfer-brand.js';
import { UpdateBrandHandler } from './commands/update-brand.js';
import { ListBrandsHandler } from './queries/list-brands.js';
import { TransfersLog } from './commands/transfers.log.js';

@Module({
  imports: [CqrsModule, BrandsWorkerModule],
  controllers: [BrandsController],
  providers: [CreateBrandHandler, TransferBrandHandler, UpdateBrandHandler, ListBrandsHandler, TransfersLog],
})
export class BrandsModule {}
