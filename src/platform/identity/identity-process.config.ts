import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** The addresses of identity and of its database, which migrations and the embedded start also need. */
export class IdentityProcessConfig {
  @Env('IDENTITY_DATABASE_URL', { description: 'Separate database of identity. Unset: DATABASE_URL.' })
  @IsOptional()
  @IsString()
  databaseUrl?: string;

  @Env('IDENTITY_PORT', { description: 'Port of the identity service.', default: '3001' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port!: number;

  @Env('IDENTITY_MANAGEMENT_PORT', {
    description: 'Port of metrics and probes of the identity service; do not expose it outside the cluster.',
    default: '9001',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  managementPort!: number;
}
