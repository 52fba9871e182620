import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { PinoLogger } from 'nestjs-pino';
import { collectDefaultMetrics, Counter, type Gauge, Histogram, Registry } from 'prom-client';
import { within } from '#libs/concurrency';
import { callerNameOf, organizationsOf } from '../context/principal.js';
import { actedOn } from '../context/request-context.js';
import { loggableUrl } from './logging.js';

/** How long a page waits for values. Prometheus allows 10 s for a whole page by default. */
const COLLECTION_MS = 3_000;

/** Gauges whose values are read together before each page. */
class Collection {
  private running?: Promise<void>;

  constructor(
    readonly name: string,
    private readonly gauges: readonly Gauge<string>[],
    private readonly read: () => Promise<void>,
  ) {}

  /**
   * Never throws, never takes longer than `COLLECTION_MS`. A page joins a read that still runs, so that queries to a
   * frozen database do not pile up.
   * @returns whether the values are current; otherwise they are removed
   */
  async collect(): Promise<boolean> {
    this.running ??= this.read().finally(() => (this.running = undefined));
    const read = this.running.then(
      () => true,
      () => false,
    );
    const isCurrent = (await within(COLLECTION_MS, read)) ?? false;
    if (!isCurrent) for (const gauge of this.gauges) forget(gauge);
    return isCurrent;
  }
}

/** `reset` alone leaves a 0 for gauges without labels, which would look like a value. */
function forget(gauge: Gauge<string>): void {
  gauge.reset();
  gauge.remove({});
}

/**
 * The Prometheus registry of one service. Other parts register their metrics on `registry`. Asynchronous values go
 * through `collect`, never into a gauge's own `collect`, whose failure would break the page.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request read to its answer sent, by route pattern.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly collections: Collection[] = [];
  private readonly failures = new Counter({
    name: 'metrics_collection_failures_total',
    help: 'Collections that failed or took too long; their metrics are missing on that page.',
    labelNames: ['collection'] as const,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /**
   * @param name as the label of `metrics_collection_failures_total`, snake_case
   * * @param gauges set by `read`; missing on a page when it fails or takes longer than `COLLECTION_MS`
   */
  collect(name: string, gauges: readonly Gauge<string>[], read: () => Promise<void>): void {
    this.collections.push(new Collection(name, gauges, read));
    this.failures.inc({ collection: name }, 0);
  }

  /** The page in Prometheus' text format, without the metrics that failed. */
  async page(): Promise<string> {
    const collecting = this.collections.map(async (one) => {
      if (!(await one.collect())) this.failures.inc({ collection: one.name });
    });
    await Promise.all(collecting);
    return this.registry.metrics();
  }

  /** @param seconds since the request arrived */
  observe(request: Request, response: Response, seconds: number): void {
    this.durations.observe(
      { method: request.method, route: routeOf(request), status: String(response.statusCode) },
      seconds,
    );
  }
}

/** The route's pattern, never the path: the number of time series must not grow with the number of ids. */
function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}

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
