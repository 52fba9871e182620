import { Module } from '@nestjs/common';
import { Administration } from '../access/administration.js';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { Grants } from './grants/grants.js';
import { ServicePrincipalsController } from './service-principals/service-principals.controller.js';
import { ServicePrincipals } from './service-principals/service-principals.js';

@Module({
  imports: [AuditModule, CredentialsModule],
  controllers: [ApiKeysController, ServicePrincipalsController],
  providers: [Administration, Grants, ApiKeys, ServicePrincipals],
  exports: [Administration, Grants],
})
export class AutomationsModule {}
