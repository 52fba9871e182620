import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** How long a network that refuses this service is left alone. */
export class PlatformHoldConfig {
  @Env('CONFIGURATION_HOLD_SECONDS', {
    description:
      'Time for which a network is held after it refused this service itself, in seconds (1 to 86400): its posts wait and no account of it can be connected.',
    default: '900',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  seconds!: number;
}
