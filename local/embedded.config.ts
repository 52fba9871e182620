import { IsString } from 'class-validator';
import { Env, FromConfig } from '#libs/config';
import { HttpConfig } from '#libs/http';
import { AddressesConfig } from '../src/api/addresses.config.js';
import { GatewayProcessConfig } from '../src/platform/gateway/gateway-process.config.js';
import { IdentityProcessConfig } from '../src/platform/identity/identity-process.config.js';
import { SandboxConfig } from '../sandbox/sandbox.config.js';

/** The configuration of the embedded start; each service reads its own. */
export class EmbeddedConfig {
  @Env('DATA_DIR', {
    description: 'Folder of the embedded start for its database and generated secrets.',
    default: '.data',
  })
  @IsString()
  dataDirectory!: string;

  @FromConfig(HttpConfig, 'host')
  host!: string;

  @FromConfig(AddressesConfig, 'apiPort')
  apiPort!: number;

  @FromConfig(AddressesConfig, 'apiManagementPort')
  apiManagementPort!: number;

  @FromConfig(AddressesConfig, 'workerManagementPort')
  workerManagementPort!: number;

  @FromConfig(IdentityProcessConfig, 'port')
  identityPort!: number;

  @FromConfig(IdentityProcessConfig, 'managementPort')
  identityManagementPort!: number;

  @FromConfig(GatewayProcessConfig, 'port')
  gatewayPort!: number;

  @FromConfig(GatewayProcessConfig, 'managementPort')
  gatewayManagementPort!: number;

  @FromConfig(SandboxConfig, 'port')
  sandboxPort!: number;

  @FromConfig(SandboxConfig, 'mailPort')
  sandboxMailPort!: number;

  @FromConfig(SandboxConfig, 'paymentsPort')
  sandboxPaymentsPort!: number;
}
