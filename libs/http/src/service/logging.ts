import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger, type Params, PinoLogger } from 'nestjs-pino';
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

/** Parameters whose values logs show: none of them is a secret, a text or an address of a person. */
const HARMLESS_PARAMETERS = new Set(
  `brandId contentId organizationId pipelineId stageId threadId
   limit limitPerStage page includeTotal order from to timezone
   capability deleted dryRun groupBy kind lifecycle platform provider refresh scope status`.split(/\s+/),
);
const READABLE_NAME = /^\w{1,32}$/;
/** Paths that are credentials themselves: signed addresses of media, codes of data deletions. */
const SECRET_PATHS = /^(\/m\/|\/api\/integrations\/data-deletion\/)[^/?#]+/i;
const MAX_URL = 512;

/** An address for logs: without the values of unknown parameters, escaped, shortened. */
export function loggableUrl(url: string): string {
  const [path = '', ...rest] = url.slice(0, MAX_URL).split('?');
  const shown = path.replace(SECRET_PATHS, '$1[redacted]');
  const query = rest.join('?').split('&').map(loggableParameter);
  return (rest.length === 0 ? shown : `${shown}?${query.join('&')}`).slice(0, MAX_URL);
}

function loggableParameter(parameter: string): string {
  const [name = ''] = parameter.split('=', 1);
  if (HARMLESS_PARAMETERS.has(name)) return parameter;
  return READABLE_NAME.test(name) && name !== parameter ? `${name}=[redacted]` : '[redacted]';
}
