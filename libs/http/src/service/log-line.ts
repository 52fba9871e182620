import { SystemClock } from '#libs/clock';
import { loggableError } from './loggable-error.js';

/** Of pino, https://getpino.io/#/docs/api?id=level-string. */
const LEVELS = { info: 30, warn: 40 };

/** Writes a line in the format of the service's logger before that logger exists. Ignores LOG_LEVEL. */
export function logLine(level: keyof typeof LEVELS, service: string, msg: string, error?: unknown): void {
  const err = error === undefined ? {} : { err: loggableError(error) };
  const line = { level: LEVELS[level], time: new SystemClock().now().getTime(), service, ...err, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
