import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** How this service calls networks. */
export class OutboundHttpConfig {
  @Env('NETWORK_TIMEOUT_MS', {
    description: 'Time limit of a call to a network, in milliseconds (100 to 60000).',
    default: '10000',
  })
  @IsInt()
  @Min(100)
  @Max(60_000)
  timeoutMs!: number;

  @Env('NETWORK_CONNECTIONS', {
    description: 'Maximum number of open connections to one host of a network (1 to 1000).',
    default: '128',
  })
  @IsInt()
  @Min(1)
  @Max(1000)
  connections!: number;
}
