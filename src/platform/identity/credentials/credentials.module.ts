import { Module } from '@nestjs/common';
import { SecretHasher } from './secret-hasher.js';

@Module({ providers: [SecretHasher], exports: [SecretHasher] })
export class CredentialsModule {}
