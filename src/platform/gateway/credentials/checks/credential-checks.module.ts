import { Global, Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials.module.js';
import { CheckCredential } from './check-credential.js';
import { CredentialChecks } from './credential-check.js';
import { CredentialChecksController } from './credential-checks.controller.js';

/** Checks of credentials at the providers. Global, so that each capability can add its providers. */
@Global()
@Module({
  imports: [CredentialsModule],
  controllers: [CredentialChecksController],
  providers: [CredentialChecks, CheckCredential],
  exports: [CredentialChecks],
})
export class CredentialChecksModule {}
