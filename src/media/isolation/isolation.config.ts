import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class MediaIsolationConfig {
  @Env('MEDIA_PROCESSES', {
    description:
      'Child processes of a worker that inspect media files, as many that make renditions of pictures, and as many for videos, animations and what took too long before (1 to 8). Each uses up to one core and 800 MB.',
    default: '1',
  })
  @IsInt()
  @Min(1)
  @Max(8)
  processes!: number;
}
