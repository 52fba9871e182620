import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** When posts of all accounts of a network wait. */
export class NetworkOutageConfig {
  @Env('OUTAGE_ACCOUNTS', {
    description:
      'Number of accounts of a network without an answer, one after another, after which its posts wait while single posts probe it (2 to 100).',
    default: '3',
  })
  @IsInt()
  @Min(2)
  @Max(100)
  accounts!: number;

  @Env('OUTAGE_PROBE_MS', {
    description:
      'First pause between probes of a network that does not answer, in milliseconds (10 to 60000); doubles up to 30 s.',
    default: '2000',
  })
  @IsInt()
  @Min(10)
  @Max(60_000)
  probeMs!: number;
}
