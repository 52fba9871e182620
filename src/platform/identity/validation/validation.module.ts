import { Global, Module } from '@nestjs/common';
import { IdentityClient } from '#libs/platform-client';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { RegistryModule } from '../registry/registry.module.js';
import { AttributionCheck } from './attribution-check.js';
import { AttributionController, RegistrationsController } from './attribution.controller.js';
import { LocalIdentityClient } from './local-identity-client.js';
import { ServiceCredentialGuard } from './service-credential.guard.js';
import { ValidationAnswers } from './validation-answers.js';
import { ValidationBatchController, ValidationController } from './validation.controller.js';
import { Validation } from './validation.js';
import { ValidationMetrics } from './validation.metrics.js';

/** Global, because the guards of #libs/auth inject `IdentityClient`. */
@Global()
@Module({
  imports: [CredentialsModule, OrganizationsModule, RegistryModule],
  controllers: [
    ValidationController,
    ValidationBatchController,
    RegistrationsController,
    AttributionController,
  ],
  providers: [
    Validation,
    ValidationAnswers,
    ValidationMetrics,
    AttributionCheck,
    ServiceCredentialGuard,
    { provide: IdentityClient, useClass: LocalIdentityClient },
  ],
  exports: [IdentityClient, Validation],
})
export class ValidationModule {}
