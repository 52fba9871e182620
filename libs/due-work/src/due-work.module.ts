import { Global, Module } from '@nestjs/common';
import { Leases } from './leases.js';

/** Global: every room that shares work out over replicas injects `Leases`. */
@Global()
@Module({ providers: [Leases], exports: [Leases] })
export class DueWorkModule {}
