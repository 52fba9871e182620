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

  /** Open at most to one host. */
  connections = 128;
}
