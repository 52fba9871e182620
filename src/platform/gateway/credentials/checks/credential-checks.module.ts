import { Global, Module } from '@nestjs/common';
import { CredentialChecks } from './credential-check.js';

/** Apart from the module of credentials, so that areas which that module knows nothing of can add their providers. */
@Global()
@Module({ providers: [CredentialChecks], exports: [CredentialChecks] })
export class CredentialChecksModule {}
