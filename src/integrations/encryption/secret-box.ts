import { Injectable } from '@nestjs/common';
import { SecretBox as Box } from '#libs/encryption';
import { EncryptionConfig } from './encryption.config.js';

/** Encrypts the secrets of connections with ENCRYPTION_KEYS. */
@Injectable()
export class SecretBox extends Box {
  constructor(config: EncryptionConfig) {
    super(config);
  }
}
