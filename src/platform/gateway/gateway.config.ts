import { Matches } from 'class-validator';
import { Env, HasDistinctIds } from '#libs/config';
import { SECRET_KEYS } from '#libs/encryption';

/** One or more entries of a slug and a token of 32 to 256 characters. */
const SERVICE_TOKENS =
  /^[a-z][a-z0-9-]{1,62}:[A-Za-z0-9+/_=-]{32,256}(,[a-z][a-z0-9-]{1,62}:[A-Za-z0-9+/_=-]{32,256})*$/;

export class GatewayConfig {
  @Env('GATEWAY_SERVICE_TOKENS', {
    description:
      'Tokens of the applications that may call the provider gateway, `slug:token,…`, at least 32 characters each. The slug is that of the application at identity; a slug can have several tokens while one is replaced.',
  })
  @Matches(SERVICE_TOKENS, { message: 'must be slug:token of 32 to 256 characters, separated by commas' })
  serviceTokens!: string;

  @Env('GATEWAY_ENCRYPTION_KEYS', {
    description:
      'Comma-separated keyId:base64 of 32 random bytes that encrypt the addresses of upload sessions. The first encrypts; the others only decrypt.',
  })
  @Matches(SECRET_KEYS, { message: 'must be keyId:base64 pairs of 32 bytes each, separated by commas' })
  @HasDistinctIds()
  encryptionKeys!: string;
}
