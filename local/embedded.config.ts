import { IsString } from 'class-validator';
import { Env, FromConfig } from '#libs/config';
import { HttpConfig } from '#libs/http';
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

  @FromConfig(SandboxConfig, 'port')
  sandboxPort!: number;

  @FromConfig(SandboxConfig, 'mailPort')
  sandboxMailPort!: number;

  @FromConfig(SandboxConfig, 'paymentsPort')
  sandboxPaymentsPort!: number;
}
