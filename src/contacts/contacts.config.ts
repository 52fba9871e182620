import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** Maximum pause of an upload before it is aborted. */
const STALL_MS = 15_000;

export class AttachmentsConfig {
  maxBytes = 10_485_760;
  stallMs = STALL_MS;
}

export class CsvConfig {
  @Env('IMPORT_MAX_BYTES', {
    description: 'Maximum size of an imported CSV file, in bytes (1 to 4294967296).',
    default: '268435456',
  })
  @IsInt()
  @Min(1)
  @Max(4_294_967_296)
  maxBytes!: number;

  stallMs = STALL_MS;
}
