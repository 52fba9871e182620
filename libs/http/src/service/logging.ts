import { AsyncLocalStorage } from 'node:async_hooks';
import type { Params } from 'nestjs-pino';
import { Logger, PinoLogger } from 'nestjs-pino';
import { currentContext } from '../context/request-context.js';
import { loggableError } from './loggable-error.js';

/** Fields that logs must not contain, wherever a library puts them. */
const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-service-token',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'clientSecret',
];
const paths = SECRETS.flatMap((name) => {
  const key = name.includes('-') ? `["${name}"]` : `.${name}`;
  return [key.replace(/^\./, ''), `*${key}`, `*.*${key}`];
});

const running = new AsyncLocalStorage<string>();

/** Log lines of `work` and of everything it starts, such as timers, carry the name of this service. */
export function logAs<T>(service: string, work: () => T): T {
  return running.run(service, work);
}

/**
 * JSON lines on standard output. Every line includes the context of its request or job. There is one logger per process:
 * the level of the first service applies.
 */
export function loggingOptions(service: string, level: string): Params {
  return {
    forRoutes: [],
    pinoHttp: {
      level,
      autoLogging: false,
      base: null,
      wrapSerializers: false,
      serializers: { err: (error: unknown) => loggableError(error) },
      redact: { paths, censor: '[redacted]' },
      mixin: () => {
        const { requestId, correlationId, service: own } = currentContext() ?? {};
        return { service: own ?? running.getStore() ?? service, requestId, correlationId };
      },
    },
  };
}

/** The logger of Nest and of everything that logs through it. */
export function jsonLogger(service: string, level: string): Logger {
  const options = loggingOptions(service, level);
  return new Logger(new PinoLogger(options), options);
}

const SECRET_PARAMETERS =
  /([?&](?:code|state|token|access_token|refresh_token|api_key|key|signed_request|q)=)[^&#]*/gi;
/** Paths that are credentials themselves: signed addresses of media. */
const SECRET_PATHS = /^(\/m\/)[^/?#]+/i;
const MAX_URL = 512;

/** An address for logs: without secrets and search texts, escaped, shortened. */
export function loggableUrl(url: string): string {
  return url
    .replace(SECRET_PATHS, '$1[redacted]')
    .replace(SECRET_PARAMETERS, '$1[redacted]')
    .slice(0, MAX_URL);
}
