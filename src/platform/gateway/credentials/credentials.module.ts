import { Module } from '@nestjs/common';
import { CredentialAccess } from './credential-access.js';
import { CredentialHealth } from './credential-health.js';
import { Credentials } from './credentials.js';
import { CredentialsController } from './credentials.controller.js';
import { CredentialsStore } from './credentials.store.js';
import { ResealSweep } from './reseal.sweep.js';

@Module({
  controllers: [CredentialsController],
  providers: [Credentials, CredentialsStore, CredentialAccess, CredentialHealth, ResealSweep],
  exports: [Credentials, CredentialsStore, CredentialAccess, CredentialHealth],
})
export class CredentialsModule {}
