import type { Request, Response } from 'express';
import type { PinoLogger } from 'nestjs-pino';
import { type Metrics, routeOf } from '../metrics/metrics.js';
import { callerNameOf, organizationsOf } from '../context/principal.js';
import { actedOn } from '../context/request-context.js';
import { loggableUrl } from './logging.js';

/** The longest text of an IPv6 address; a proxy can send any text. */
const MAX_CLIENT = 45;

const PROBES = /^\/(health|healthz|readyz|metrics)$/;

/** One log line and one measurement per request. Probes are logged at debug because they are frequent. */
export function observer(
  metrics: Metrics,
  logger: Pick<PinoLogger['logger'], 'info' | 'debug' | 'isLevelEnabled'>,
) {
  return (request: Request, response: Response, seconds: number): void => {
    metrics.observe(request, response, seconds);
    const level = PROBES.test(request.path) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const line = {
      method: request.method,
      url: loggableUrl(request.originalUrl),
      route: routeOf(request),
      status: response.statusCode,
      actor: callerNameOf(request),
      organizationId: actedOn() ?? onlyOne(organizationsOf(request)),
      client: request.ip?.slice(0, MAX_CLIENT),
      milliseconds: Math.round(seconds * 1e6) / 1e3,
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    logger[level](line, 'request');
  };
}

/** Of several, any could be the wrong one. */
const onlyOne = ([first, ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? first : undefined;
