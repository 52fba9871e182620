import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  ApiKeyScopeEntity,
  PermissionEntity,
  RoleBundleEntity,
  RoleBundlePermissionEntity,
  ServiceEntity,
} from './catalog.entities.js';
import { RegistryController } from './registry.controller.js';
import { Registry } from './registry.js';

const CATALOG = [
  ServiceEntity,
  PermissionEntity,
  ApiKeyScopeEntity,
  RoleBundleEntity,
  RoleBundlePermissionEntity,
];

@Module({
  imports: [TypeOrmModule.forFeature(CATALOG)],
  controllers: [RegistryController],
  providers: [Registry],
  exports: [Registry],
})
export class RegistryModule {}
