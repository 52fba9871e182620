import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** How long renditions are kept. */
export class RenditionsConfig {
  @Env('MEDIA_RENDITION_KEEP_DAYS', {
    description:
      'Days after which a rendition that no unpublished post needs is removed, and made again when it is needed (1 to 365).',
    default: '30',
  })
  @IsInt()
  @Min(1)
  @Max(365)
  keepDays!: number;
}
