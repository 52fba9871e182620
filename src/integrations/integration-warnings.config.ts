import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** How long ahead an end is announced that only a person can prevent. */
export class IntegrationWarningsConfig {
  @Env('GRANT_WARNING_DAYS', {
    description:
      'Days before its end from which a connection is announced to end that is not renewed by itself (1 to 60).',
    default: '7',
  })
  @IsInt()
  @Min(1)
  @Max(60)
  grantDays!: number;

  @Env('API_VERSION_WARNING_DAYS', {
    description:
      'Days before its end from which the version of the interface of a network is announced to end (1 to 365).',
    default: '30',
  })
  @IsInt()
  @Min(1)
  @Max(365)
  apiVersionDays!: number;
}
