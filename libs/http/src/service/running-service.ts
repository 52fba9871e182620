import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpConfig } from './http.config.js';
import { closeServer } from './servers.js';
import { ServiceInfo } from './service-info.js';

/** A service that takes requests until it is closed. */
export class RunningService {
  private closing?: Promise<void>;

  constructor(
    readonly app: NestExpressApplication,
    /** Where callers reach it; the management address where there is no public one. */
    readonly url: string,
    /** Health, metrics and internal routes; never to be exposed. */
    readonly managementUrl: string,
    private readonly management: Server,
  ) {}

  /**
   * Readiness off, requests in flight finished, then everything the rooms have running, the management
   * address last. Calling it again waits for the same closing.
   */
  close(): Promise<void> {
    return (this.closing ??= this.drain());
  }

  private async drain(): Promise<void> {
    const config = this.app.get(HttpConfig);
    this.app.get(ServiceInfo).phase = 'draining';
    if (config.shutdownDelayMs > 0) await delay(config.shutdownDelayMs);
    await closeServer(this.app.getHttpServer(), config.shutdownGraceMs);
    await this.app.close();
    await closeServer(this.management, config.shutdownGraceMs);
  }
}
