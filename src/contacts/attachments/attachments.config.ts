import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class AttachmentsConfig {
  @Env('ATTACHMENT_MAX_BYTES', {
    description: 'Maximum size of an attachment, in bytes (1 to 1073741824).',
    default: '10485760',
  })
  @IsInt()
  @Min(1)
  @Max(1_073_741_824)
  maxBytes!: number;

  @Env('ATTACHMENT_STALL_MS', {
    description: 'Maximum pause of an upload before it is aborted, in milliseconds (100 to 600000).',
    default: '15000',
  })
  @IsInt()
  @Min(100)
  @Max(600_000)
  stallMs!: number;
}
