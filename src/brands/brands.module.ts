import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BrandsController } from './http/brands.controller.js';
import { BrandsWorkerModule } from './brands-worker.module.js';
import { CreateBrandHandler, TransferBrandHandler, UpdateBrandHandler } from './commands/change-brands.js';
import { ListBrandsHandler } from './queries/read-brands.js';
import { TransfersLog } from './commands/transfers.log.js';

@Module({
  imports: [CqrsModule, BrandsWorkerModule],
  controllers: [BrandsController],
  providers: [CreateBrandHandler, TransferBrandHandler, UpdateBrandHandler, ListBrandsHandler, TransfersLog],
})
export class BrandsModule {}
