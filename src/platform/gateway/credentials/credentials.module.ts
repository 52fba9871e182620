import { Module } from '@nestjs/common';
import { CredentialAccess } from './credential-access.js';
import { Credentials } from './credentials.js';
import { CredentialsController } from './credentials.controller.js';
import { CredentialsStore } from './credentials.store.js';
import { ResealSweep } from './reseal.sweep.js';

/** Credentials of providers: encrypted storage and its routes. */
@Module({
  controllers: [CredentialsController],
  providers: [Credentials, CredentialsStore, CredentialAccess, ResealSweep],
  exports: [Credentials, CredentialsStore, CredentialAccess],
})
export class CredentialsModule {}
