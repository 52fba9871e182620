import { IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class DatabaseConfig {
  @Env('DATABASE_URL', {
    description: 'PostgreSQL 15 or newer, UTF-8: postgres://user:password@host:port/name.',
  })
  @IsString()
  @Matches(/^postgres(ql)?:\/\//, { message: 'must start with postgres://' })
  url!: string;

  @Env('DATABASE_POOL_SIZE', { description: 'Connections one process may hold (1 to 500).', default: '20' })
  @IsInt()
  @Min(1)
  @Max(500)
  poolSize!: number;
}
