import { Global, Module } from '@nestjs/common';
import { Leases } from './leases.js';

/** Global: features that distribute work over replicas inject `Leases`. */
@Global()
@Module({ providers: [Leases], exports: [Leases] })
export class DueWorkModule {}
