import { SystemClock } from '#libs/clock';

/** Fields without personal data: Node's and PostgreSQL's names for the error and its location. */
const LOGGED_FIELDS = [
  'code',
  'errno',
  'syscall',
  'hostname',
  'port',
  'status',
  'statusCode',
  'reason',
  'kind',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
] as const;

/** PostgreSQL quotes the refused value in messages of class 22, data exceptions (appendix A). */
const DATA_EXCEPTION = /^22...$/;
const MAX_CAUSES = 5;

export interface LoggableError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggableError;
  readonly errors?: readonly LoggableError[];
  readonly [kept: string]: unknown;
}

/**
 * The fields of an error that logs may contain. Other fields can contain personal data, such as the row in PostgreSQL's
 * `where` and `detail`, or the parameters of a query. For a thrown value that is no error, only the type.
 */
export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'Something else than an error was thrown.' };
  const given = error as Error & { readonly errors?: unknown } & Readonly<Record<string, unknown>>;
  const hidden = typeof given.code === 'string' && DATA_EXCEPTION.test(given.code);
  const worded = (text: string) => (hidden ? text.replaceAll(/"[^"]*"/g, '"[redacted]"') : text);
  const more = depth < MAX_CAUSES;
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: worded(error.message),
    ...(error.stack !== undefined && { stack: worded(error.stack) }),
    ...Object.fromEntries(LOGGED_FIELDS.filter((key) => isPlain(given[key])).map((key) => [key, given[key]])),
    ...(more && error.cause !== undefined && { cause: loggableError(error.cause, depth + 1) }),
    ...(more &&
      Array.isArray(given.errors) && { errors: given.errors.map((each) => loggableError(each, depth + 1)) }),
  };
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** Of pino, https://getpino.io/#/docs/api?id=level-string. */
const LEVELS = { info: 30, warn: 40 };

/** Writes a line in the format of the service's logger before that logger exists. Ignores LOG_LEVEL. */
export function logLine(level: keyof typeof LEVELS, service: string, msg: string, error?: unknown): void {
  const err = error === undefined ? {} : { err: loggableError(error) };
  const line = { level: LEVELS[level], time: new SystemClock().now().getTime(), service, ...err, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
