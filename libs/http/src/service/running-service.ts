import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpConfig } from '../context/http.config.js';
import { closeServer } from './servers.js';
import { ServiceInfo } from '../context/service-info.js';
import { WorkInFlight } from '../context/work-in-flight.js';

/** Longer than the readiness probe of deploy/kubernetes needs to notice, which `npm run check:manifests` compares. */
const BALANCER_DELAY_MS = 5_000;

/** A service that accepts requests until it is closed. */
export class RunningService {
  private closing?: Promise<void>;

  constructor(
    readonly app: NestExpressApplication,
    /** Public address; the management address if there is no public one. */
    readonly url: string,
    /** Address of health, metrics and internal routes. Never expose it. */
    readonly managementUrl: string,
    private readonly management: Server,
  ) {}

  /**
   * Turns readiness off, finishes requests in flight on both addresses and requests with an Idempotency-Key whose client has left, then
   * the work of the modules, and closes the management address last. A second call waits for the first.
   */
  close(): Promise<void> {
    return (this.closing ??= this.drain(0));
  }

  /**
   * Like `close`, but serves requests until balancers have noticed that readiness is off: 5 s if SHUTDOWN_DELAY_MS is unset.
   * For a service in its own process. A service without a public address has no balancer and does not wait.
   */
  closeAfterBalancerDelay(): Promise<void> {
    const isBalanced = this.url !== this.managementUrl;
    return (this.closing ??= this.drain(isBalanced ? BALANCER_DELAY_MS : 0));
  }

  /** @param delayMs if SHUTDOWN_DELAY_MS is unset */
  private async drain(delayMs: number): Promise<void> {
    const { shutdownDelayMs = delayMs, shutdownGraceMs } = this.app.get(HttpConfig);
    this.app.get(ServiceInfo).phase = 'draining';
    if (shutdownDelayMs > 0) await delay(shutdownDelayMs);
    const until = performance.now() + shutdownGraceMs;
    await closeServer(this.app.getHttpServer(), shutdownGraceMs);
    await this.app.get(WorkInFlight).ended(Math.max(0, until - performance.now()));
    await this.app.close();
    await closeServer(this.management, shutdownGraceMs);
  }
}
