import { IsOptional, Matches } from 'class-validator';
import { Env, FromConfig, HasDistinctIds, IsBaseUrl } from '#libs/config';
import { HttpConfig } from '#libs/http';

export class MediaAddressesConfig {
  @Env('MEDIA_ADDRESS_KEYS', {
    description:
      'Comma-separated keyId:base64 of 32 random bytes. The first signs the addresses of media files; the others only verify them. To replace a key, see docs/operations.md.',
  })
  @Matches(/^[\w-]{1,32}:[A-Za-z0-9+/_-]{43}=?(,[\w-]{1,32}:[A-Za-z0-9+/_-]{43}=?)*$/, {
    message: 'must be keyId:base64 pairs of 32 bytes each, separated by commas',
  })
  @HasDistinctIds()
  keys!: string;

  /** The worker has no public address of its own, so that it must be given this one in production. */
  @Env('MEDIA_PUBLIC_URL', {
    description:
      'Address under which networks and browsers fetch media files, without trailing slash; it leads to the API. Unset: PUBLIC_URL.',
  })
  @IsOptional()
  @IsBaseUrl()
  mediaPublicUrl?: string;

  @FromConfig(HttpConfig, 'publicUrl', { default: 'http://127.0.0.1:3000' })
  publicUrl!: string;
}
