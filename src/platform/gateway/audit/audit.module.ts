import { Global, Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { GatewayAudit } from './gateway-audit.js';

/** Every part of the gateway records its changes. */
@Global()
@Module({ controllers: [AuditController], providers: [GatewayAudit], exports: [GatewayAudit] })
export class AuditModule {}
