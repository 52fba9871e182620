import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { type HealthCheckResult, HealthCheckService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Clock } from '#libs/clock';
import { ServiceInfo } from '#libs/http';
import type { HealthCheck, ProbeResult } from './probe.js';
import { HealthChecks } from './health-checks.js';

export type Status = 'ok' | 'degraded' | 'error' | 'shutting_down';

/** Terminus' body with service, version and time. */
export interface HealthReport extends Pick<HealthCheckResult, 'info' | 'error' | 'details'> {
  readonly status: Status;
  readonly service: string;
  readonly version: string;
  readonly timestamp: string;
  readonly uptimeSeconds: number;
}

/** Runs the checks and reports the status of the service. */
@Injectable()
export class HealthReporter {
  private readonly startedAt: number;

  constructor(
    private readonly terminus: HealthCheckService,
    private readonly checks: HealthChecks,
    private readonly info: ServiceInfo,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.monotonic();
  }

  async report(which: (check: HealthCheck) => boolean): Promise<HealthReport> {
    const results = await this.checks.run(which);
    const { status, info, error, details } = await this.summary(results);
    return {
      status: this.info.phase === 'draining' ? 'shutting_down' : status,
      ...this.header(),
      info,
      error,
      details,
    };
  }

  /** Runs no checks: a response proves liveness. */
  alive(): HealthReport {
    return { status: 'ok', ...this.header(), info: {}, error: {}, details: {} };
  }

  private header() {
    return {
      service: this.info.name,
      version: this.info.version,
      timestamp: this.clock.now().toISOString(),
      uptimeSeconds: Math.floor((this.clock.monotonic() - this.startedAt) / 1000),
    };
  }

  /** Terminus throws its result when a check is down. */
  private async summary(results: readonly ProbeResult[]): Promise<HealthCheckResult> {
    try {
      return await this.terminus.check(results.map((result) => () => this.indicator(result)));
    } catch (error) {
      if (error instanceof ServiceUnavailableException) return error.getResponse() as HealthCheckResult;
      throw error;
    }
  }

  private indicator({ name, status, data }: ProbeResult): HealthIndicatorResult {
    return { [name]: { ...data, status } };
  }
}
