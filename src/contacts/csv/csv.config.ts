import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class CsvConfig {
  @Env('IMPORT_MAX_BYTES', {
    description: 'Maximum size of an imported CSV file, in bytes (1 to 4294967296).',
    default: '268435456',
  })
  @IsInt()
  @Min(1)
  @Max(4_294_967_296)
  maxBytes!: number;

  @Env('IMPORT_STALL_MS', {
    description:
      'Maximum pause of the upload of a CSV file before it is aborted, in milliseconds (100 to 600000).',
    default: '15000',
  })
  @IsInt()
  @Min(100)
  @Max(600_000)
  stallMs!: number;
}
