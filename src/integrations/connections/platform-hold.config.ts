import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** How long a network that refuses this service is left alone. */
export class PlatformHoldConfig {
  @Env('CONFIGURATION_HOLD_SECONDS', {
    description:
      'Time after a network refused this service itself, in seconds (1 to 86400), for which no account of it can be connected, and for which an account waits whose token cannot be renewed because of that.',
    default: '900',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  seconds!: number;
}
