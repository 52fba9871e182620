import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class ImagesConfig {
  @Env('IMAGES_PER_HOUR', {
    description:
      'Maximum number of pictures that one organization asks AI models for within an hour, over all replicas (1 to 100000).',
    default: '100',
  })
  @IsInt()
  @Min(1)
  @Max(100_000)
  perHour!: number;

  @Env('IMAGES_AT_ONCE', {
    description:
      'Maximum number of pictures that one process waits for at a time (1 to 48), half of them for one organization while others want some. A picture that arrives takes five times its bytes in memory, all of them together 640 MiB at most.',
    default: '16',
  })
  @IsInt()
  @Min(1)
  @Max(48)
  atOnce!: number;

  @Env('IMAGE_TIMEOUT_MS', {
    description:
      'Time limit of the models for one picture, with all attempts, in milliseconds (1000 to 600000).',
    default: '120000',
  })
  @IsInt()
  @Min(1_000)
  @Max(600_000)
  timeoutMs!: number;
}
