import { IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
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

  @Env('DATABASE_NAMED_STATEMENTS', {
    description:
      'on or off. off for a pooler in transaction mode without support for prepared statements: PgBouncer before 1.21, or newer with max_prepared_statements 0.',
    default: 'on',
  })
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  namedStatements!: 'on' | 'off';

  @Env('DATABASE_STATEMENT_TIMEOUT_MS', {
    description:
      'Time limit of a statement of a request, in milliseconds; the caller then gets 503 (0 for no limit).',
    default: '15000',
  })
  @IsInt()
  @Min(0)
  @Max(3_600_000)
  statementTimeoutMs!: number;

  @Env('DATABASE_LONG_STATEMENT_TIMEOUT_MS', {
    description:
      'Time limit of each statement of an import, an export or a sweep, in milliseconds (0 for no limit).',
    default: '300000',
  })
  @IsInt()
  @Min(0)
  @Max(3_600_000)
  longStatementTimeoutMs!: number;
}

/** The settings of a data source. No timeouts by default. */
export type DatabaseSettings = Pick<DatabaseConfig, 'url' | 'poolSize'> &
  Partial<DatabaseConfig> & {
    /** How long after the limit of a statement a client behind a pooler waits for its answer; 5 seconds unless given. */
    readonly answerMarginMs?: number;
    /** Maximum wait of a migration for a lock, in milliseconds; 5 seconds unless given. */
    readonly lockTimeoutMs?: number;
  };

/** For work without a time limit, such as migrations and rebuilds. */
export function withoutTimeLimits({ url, poolSize, namedStatements }: DatabaseConfig): DatabaseSettings {
  return { url, poolSize, namedStatements };
}
