import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ObjectStorageConfig } from './object-storage.config.js';
import { ObjectStorage } from './object-storage.js';

/** The one bucket of this process. Global: features that store files inject `ObjectStorage`. */
@Global()
@Module({})
export class ObjectStorageModule {
  static forRoot(config: ObjectStorageConfig): DynamicModule {
    return {
      module: ObjectStorageModule,
      providers: [{ provide: ObjectStorageConfig, useValue: config }, ObjectStorage],
      exports: [ObjectStorage],
    };
  }
}
