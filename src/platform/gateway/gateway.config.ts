import { IsOptional, Matches, ValidateIf } from 'class-validator';
import { Env, HasDistinctIds } from '#libs/config';
import { SECRET_KEYS } from '#libs/encryption';
import { CAPABILITIES } from './access/attribution.js';

/** One or more entries of a slug and a token of 32 to 256 characters. */
const SERVICE_TOKENS =
  /^[a-z][a-z0-9-]{1,62}:[A-Za-z0-9+/_=-]{32,256}(,[a-z][a-z0-9-]{1,62}:[A-Za-z0-9+/_=-]{32,256})*$/;

/** One or more tokens of 32 to 256 characters. */
const SHARED_TOKENS = /^[A-Za-z0-9+/_=-]{32,256}(,[A-Za-z0-9+/_=-]{32,256})*$/;

/** Entries of a slug and its capabilities. */
const CAPABILITIES_OF = `[a-z][a-z0-9-]{1,62}:(${CAPABILITIES.join('|')})(\\+(${CAPABILITIES.join('|')}))*`;
const APPLICATION_CAPABILITIES = new RegExp(`^${CAPABILITIES_OF}(,${CAPABILITIES_OF})*$`);

export class GatewayConfig {
  @Env('GATEWAY_SHARED_TOKENS', {
    description:
      'Tokens that any registered application without a token of its own may use at the provider gateway, separated by commas: the primary one first, then staged ones for a rotation. At least 32 characters each. Not accepted for payments, nor for an application whose use is restricted. Unset: every application needs a token of its own.',
  })
  @IsOptional()
  @Matches(SHARED_TOKENS, { message: 'must be tokens of 32 to 256 characters, separated by commas' })
  sharedTokens?: string;

  @Env('GATEWAY_SERVICE_TOKENS', {
    description:
      'Tokens of the applications that may call the provider gateway, `slug:token,…`, at least 32 characters each. The slug is that of the application at identity; a slug can have several tokens while one is replaced. Such an application is not accepted with a shared token. Required without GATEWAY_SHARED_TOKENS.',
  })
  @ValidateIf(
    ({ serviceTokens, sharedTokens }: GatewayConfig) =>
      serviceTokens !== undefined || sharedTokens === undefined,
  )
  @Matches(SERVICE_TOKENS, { message: 'must be slug:token of 32 to 256 characters, separated by commas' })
  serviceTokens?: string;

  @Env('GATEWAY_APPLICATION_CAPABILITIES', {
    description: `Restricts applications, \`slug:capability+capability,…\` of ${CAPABILITIES.join(', ')}. An application without an entry may use all. \`mail\` never uses more than completions and transcriptions, and \`settlement\` nothing: an entry can only take away from these.`,
  })
  @IsOptional()
  @Matches(APPLICATION_CAPABILITIES, { message: 'must be slug:capability+capability, separated by commas' })
  @HasDistinctIds()
  applicationCapabilities?: string;

  @Env('GATEWAY_ENCRYPTION_KEYS', {
    description:
      'Comma-separated keyId:base64 of 32 random bytes that encrypt provider credentials and the addresses of upload sessions. The first encrypts; the others only decrypt.',
  })
  @Matches(SECRET_KEYS, { message: 'must be keyId:base64 pairs of 32 bytes each, separated by commas' })
  @HasDistinctIds()
  encryptionKeys!: string;
}
