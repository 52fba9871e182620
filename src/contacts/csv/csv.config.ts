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

  /** Maximum pause of an upload before it is aborted. */
  stallMs = 15_000;
}
