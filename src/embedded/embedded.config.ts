import { IsString } from 'class-validator';
import { Env } from '#libs/config';
import { AddressesConfig, IsPort } from '../api/addresses.config.js';

/** The configuration of the embedded start; each service reads its own. */
export class EmbeddedConfig extends AddressesConfig {
  @Env('DATA_DIR', {
    description: 'Embedded start: where it keeps its database and generated secrets.',
    default: '.data',
  })
  @IsString()
  dataDirectory!: string;

  @Env('IDENTITY_PORT', { description: 'Public port of the identity service.', default: '3001' })
  @IsPort()
  identityPort!: number;

  @Env('IDENTITY_MANAGEMENT_PORT', {
    description: 'Health, metrics and internal routes of identity; not to be exposed.',
    default: '9001',
  })
  @IsPort()
  identityManagementPort!: number;

  @Env('SANDBOX_PORT', { description: 'Port of the sandbox; 0 takes a free one.', default: '3900' })
  @IsPort()
  sandboxPort!: number;
}
