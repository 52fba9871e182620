import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** How long a network that refuses this service is left alone. */
export class PlatformHoldConfig {
  @Env('CONFIGURATION_HOLD_SECONDS', {
    description:
      'How long the posts of a network wait, and no account of it is connected, after it refused this service itself (1 to 86400).',
    default: '900',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  seconds!: number;
}
