import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { is, Public, ServiceInfo, shape, Unlimited } from '#libs/http';
import { type HealthReport, HealthReporter } from './health-report.js';

const CHECK = {
  type: 'object' as const,
  required: ['status'],
  properties: {
    status: { type: 'string' as const, enum: ['up', 'degraded', 'down'] },
    latencyMs: { type: 'number' as const },
    message: { type: 'string' as const },
  },
};

/** The status of a service. */
class HealthDto extends shape({
  status: is.text({ enum: ['ok', 'degraded', 'error', 'shutting_down'], example: 'ok' }),
  service: is.text({ description: 'Name of the service.', example: 'api' }),
  version: is.text({ description: 'Version of its interface.', example: '1.0.0' }),
  timestamp: is.instant({ example: '2026-11-21T10:00:00.000Z' }),
  uptimeSeconds: is.integer({ description: 'Seconds since the process started.', example: 3600 }),
  info: is.of<Record<string, unknown>>({
    description: 'Checks that are up or degraded, by name.',
    type: 'object',
    additionalProperties: CHECK,
  }),
  error: is.of<Record<string, unknown>>({
    description: 'Checks that are down, by name.',
    type: 'object',
    additionalProperties: CHECK,
  }),
  details: is.of<Record<string, unknown>>({
    description: 'All checks, by name.',
    type: 'object',
    additionalProperties: CHECK,
  }),
}) {}

@ApiTags('Health')
@Public()
@Unlimited()
@Controller()
export class HealthController {
  constructor(
    private readonly reporter: HealthReporter,
    private readonly info: ServiceInfo,
  ) {}

  @Get('health')
  @ApiOperation({
    operationId: 'getHealth',
    summary: 'Comprehensive health',
    description: 'All checks. Without a hard dependency 503, without an optional one `degraded` and 200.',
    security: [],
  })
  @ApiOkResponse({ description: 'Healthy, or degraded.', type: HealthDto })
  @ApiServiceUnavailableResponse({ description: 'Not healthy, or shutting down.', type: HealthDto })
  async health(@Res({ passthrough: true }) response: Response): Promise<HealthReport> {
    return answer(response, await this.reporter.report(() => true));
  }

  @Get('healthz')
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Liveness probe',
    description: '200 while the process runs; checks no dependency.',
    security: [],
  })
  @ApiOkResponse({ description: 'Alive.', type: HealthDto })
  liveness(): HealthReport {
    return this.reporter.alive();
  }

  @Get('readyz')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Readiness probe',
    description: '503 while starting, draining, or without the database, the only hard dependency.',
    security: [],
  })
  @ApiOkResponse({ description: 'Takes requests.', type: HealthDto })
  @ApiServiceUnavailableResponse({ description: 'Send requests elsewhere.', type: HealthDto })
  async readiness(@Res({ passthrough: true }) response: Response): Promise<HealthReport> {
    const report = await this.reporter.report((check) => check.hard || check.inReadiness === true);
    return answer(response, this.info.phase === 'starting' ? { ...report, status: 'error' } : report);
  }
}

function answer(response: Response, report: HealthReport): HealthReport {
  response.status(report.status === 'ok' || report.status === 'degraded' ? 200 : 503);
  return report;
}
