import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpConfig } from './http.config.js';
import { closeServer } from './servers.js';
import { ServiceInfo } from './service-info.js';

/** Longer than the readiness probe of deploy/kubernetes needs to notice, which `npm run check:manifests` compares. */
const BALANCER_DELAY_MS = 5_000;

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
   * Readiness off, requests in flight finished, then all running work of the modules, the management
   * address last. Calling it again waits for the same closing.
   */
  close(): Promise<void> {
    return (this.closing ??= this.drain(0));
  }

  /**
   * As `close`, but goes on answering until balancers have noticed that readiness is off: 5 s where SHUTDOWN_DELAY_MS is
   * unset. For processes of their own. A service without a public address has no balancer in front and does not wait.
   */
  closeBehindBalancer(): Promise<void> {
    const isBalanced = this.url !== this.managementUrl;
    return (this.closing ??= this.drain(isBalanced ? BALANCER_DELAY_MS : 0));
  }

  /** @param delayMs where SHUTDOWN_DELAY_MS is unset */
  private async drain(delayMs: number): Promise<void> {
    const { shutdownDelayMs = delayMs, shutdownGraceMs } = this.app.get(HttpConfig);
    this.app.get(ServiceInfo).phase = 'draining';
    if (shutdownDelayMs > 0) await delay(shutdownDelayMs);
    await closeServer(this.app.getHttpServer(), shutdownGraceMs);
    await this.app.close();
    await closeServer(this.management, shutdownGraceMs);
  }
}
