import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class TrendsConfig {
  /** The trends of a topic or feed are served so long without asking their source again. */
  cacheMinutes = 60;

  @Env('TRENDS_LIMIT_PER_HOUR', {
    description:
      'How often the sources of one brand are asked per hour, over all replicas; each topic and each feed counts once (1 to 10000).',
    default: '120',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  limitPerHour!: number;

  @Env('TRENDS_WAIT_MS', {
    description:
      'How long a request waits for sources, in milliseconds (100 to 60000). A slower source still fills the cache.',
    default: '20000',
  })
  @IsInt()
  @Min(100)
  @Max(60_000)
  waitMs!: number;
}
