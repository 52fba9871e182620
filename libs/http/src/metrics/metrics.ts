import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The Prometheus registry of one service. Other parts register their gauges on `registry`. */
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

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** @param seconds since the request came in */
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
