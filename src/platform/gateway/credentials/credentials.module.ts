import { Module } from '@nestjs/common';
import { CheckCredential } from './checks/check-credential.js';
import { CredentialChecksController } from './checks/credential-checks.controller.js';
import { CredentialChecksModule } from './checks/credential-checks.module.js';
import { CredentialAccess } from './credential-access.js';
import { CredentialHealth } from './credential-health.js';
import { Credentials } from './credentials.js';
import { CredentialsController } from './credentials.controller.js';
import { CredentialsStore } from './credentials.store.js';
import { ResealSweep } from './reseal.sweep.js';

/** Credentials of providers: encrypted storage, its routes, and checks at the providers. */
@Module({
  imports: [CredentialChecksModule],
  controllers: [CredentialsController, CredentialChecksController],
  providers: [
    Credentials,
    CredentialsStore,
    CredentialAccess,
    CredentialHealth,
    CheckCredential,
    ResealSweep,
  ],
  exports: [Credentials, CredentialsStore, CredentialAccess, CredentialHealth],
})
export class CredentialsModule {}
