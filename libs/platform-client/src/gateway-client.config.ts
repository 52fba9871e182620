import { IsOptional, Matches } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

/** Slug of the business API and its worker at identity. */
export const BUSINESS_API_SLUG = 'social-publishing';

export class GatewayClientConfig {
  @Env('GATEWAY_URL', {
    description: 'Base address of the provider gateway.',
    default: 'http://127.0.0.1:3003',
  })
  @IsBaseUrl({ inCluster: true })
  gatewayUrl!: string;

  @Env('GATEWAY_SERVICE_TOKEN', {
    description:
      'Authenticates this service at the provider gateway: one of its GATEWAY_SERVICE_TOKENS, without the slug. Unset: nothing that needs the gateway works, such as YouTube.',
  })
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/_=-]{32,256}$/, { message: 'must be 32 to 256 characters of A-Z a-z 0-9 + / _ = -' })
  gatewayServiceToken?: string;
}
