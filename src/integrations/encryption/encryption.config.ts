import { Matches } from 'class-validator';
import { Env, HasDistinctIds } from '#libs/config';
import { SECRET_KEYS } from '#libs/encryption';

export class EncryptionConfig {
  @Env('ENCRYPTION_KEYS', {
    description:
      'Comma-separated keyId:base64 of 32 random bytes. The first encrypts; the others only decrypt. To replace a key, see docs/operations.md.',
  })
  @Matches(SECRET_KEYS, {
    message: 'must be keyId:base64 pairs of 32 bytes each, separated by commas',
  })
  @HasDistinctIds()
  keys!: string;
}
