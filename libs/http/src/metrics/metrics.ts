import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Counter, type Gauge, Histogram, Registry } from 'prom-client';
import { Collection } from './collection.js';

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
export function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}
