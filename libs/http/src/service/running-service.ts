import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Environment } from '#libs/config';
import type { AdditionalBodies } from '../boundary/body.middleware.js';
import { HttpConfig } from '../context/http.config.js';
import { ServiceInfo } from '../context/request-context.js';
import { WorkInFlight } from '../context/work-in-flight.js';
import type { ApiDescription } from '../openapi/api-description.js';

/**
 * Connections that wait to be accepted, such as after a restart in front of which thousands of streams reconnect. Node's default is 511. The
 * kernel has a limit of its own (net.core.somaxconn, 4096 on Linux), which deploy/ raises to this.
 */
export const ACCEPT_QUEUE = 16_384;

/** @returns the address with the actual port. @throws the system's error, such as EADDRINUSE */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: ACCEPT_QUEUE }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const taken = (server.address() as AddressInfo).port;
  return baseUrlOf(host, taken);
}

/** IPv6 addresses need brackets (RFC 3986, 3.2.2). */
export function baseUrlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const IDLE_CHECK_MS = 50;

/** Accepts no new connections, waits up to `graceMs` for requests in flight, then closes their connections. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection with a response in flight becomes idle later and would stay open.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

export interface HttpServiceOptions {
  /** Short name for logs, metrics and health, such as `api`. */
  readonly service: string;
  /** Version of the interface. */
  readonly version?: string;
  /** Default: the environment of this process. */
  readonly environment?: Environment;
  /** Public port; 0 takes a free one. Without it the service has a management address only, as workers do. */
  readonly port?: number;
  /** By default the public port + 6000, or a free one when that is 0. */
  readonly managementPort?: number;
  /** Bodies accepted in addition to JSON. */
  readonly bodies?: AdditionalBodies;
  /** Called before the service opens its ports. */
  readonly beforeListening?: () => Promise<void>;
  /** Describes the service in `/openapi.json`, `/docs` and the page at `/`; without it none is served. */
  readonly api?: ApiDescription;
}

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
