import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#libs/clock';
import { disturbedCall, type FaultedResponse, NOTHING, whole } from './faults/disturbed-call.js';
import type { Disturbance, FaultableCall, FaultRegistry } from './faults/fault-registry.js';
import type { SandboxFiles } from './files.js';
import type { CallCounter } from './ledger/answered-calls.js';
import type { Ledger } from './ledger/ledger.js';
import { type BodyFile, Call, Client } from './wire/call.js';
import type { Handled } from './wire/response.js';
import { MAX_BODY_BYTES, readBody, readBodyToFile } from './wire/read-body.js';
import { type Match, nameOf } from './wire/router.js';
import { send } from './send.js';
import type { FaultInjectable, Site } from './wire/site.js';

/** Who sends a call, and how it arrives. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly client: Client;
}

/**
 * All hosts of the outside world on one loopback port. Plain `node:http`: faults need the socket before the body is
 * read, and a network's responses must not contain headers of our own services.
 */
export class SandboxServer {
  private readonly sites: ReadonlyMap<string, Site>;
  private readonly root: Site;
  private readonly server: Server;
  private isAnswering = false;

  constructor(
    sites: readonly Site[],
    private readonly faults: FaultRegistry,
    private readonly ledger: Ledger,
    private readonly files: SandboxFiles,
    private readonly clock: Clock,
    private readonly calls: CallCounter,
  ) {
    this.sites = new Map(sites.map((site) => [site.prefix, site]));
    this.root = this.sites.get('') as Site;
    this.server = createServer((request, response) => void this.serve(request, response));
    // Longer than clients keep a connection in their pools: closing an idle one first would look like a lost call.
    this.server.keepAliveTimeout = 75_000;
  }

  /**
   * Opens the port and responds 503 until `startAnswering`. The port also serves as the lock of the sandbox's files.
   */
  listen(port: number, host: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        const { address, family, port: bound } = this.server.address() as AddressInfo;
        resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
      });
    });
  }

  startAnswering(): void {
    this.isAnswering = true;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isAnswering) return void response.writeHead(503, { 'retry-after': '1' }).end();
    const { site, path, search } = this.locate(request.url ?? '/');
    const client = new Client(response);
    try {
      const delivery = await this.answer(site, path, search, { request, client });
      response.setHeader('date', this.clock.now().toUTCString());
      await send(delivery, request, response, client);
      if (client.hasLeft) this.countLeft(site, request.method ?? '', path);
    } catch (error) {
      if (request.errored || request.destroyed || response.destroyed) return;
      process.emitWarning(`The sandbox failed at ${request.method} ${request.url}: ${String(error)}`);
      if (response.headersSent) return void response.destroy();
      await send(whole(site.refuse(500)), request, response, client);
    }
  }

  private countLeft({ disturbable, router }: Site, method: string, path: string): void {
    const match = router.match(method, path);
    if (disturbable && match) this.calls.countLeft(disturbable.network, nameOf(match.route));
  }

  private locate(url: string): { site: Site; path: string; search: string } {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const search = mark < 0 ? '' : url.slice(mark + 1);
    const slash = path.indexOf('/', 1);
    const site = this.sites.get(slash < 0 ? path.slice(1) : path.slice(1, slash));
    if (!site || site === this.root) return { site: this.root, path, search };
    return { site, path: slash < 0 ? '/' : path.slice(slash), search };
  }

  private async answer(site: Site, path: string, search: string, from: Arrival): Promise<FaultedResponse> {
    const match = site.router.match(from.request.method ?? '', path);
    if (!match) return whole(site.refuse(404));
    const { disturbable } = site;
    if (disturbable && !this.faults.isQuiet) {
      const arrived = callOf(site, match, search, from, Buffer.alloc(0));
      if (this.faults.dropsOnArrival(targetOf(disturbable, arrived))) return NOTHING;
    }
    if (match.route.isFile) return this.answerFile(site, match, search, from);
    const body = await readBody(from.request, match.route.maxBodyBytes);
    if (body === null) return whole(site.refuse(413));
    return this.answerCall(site, match, callOf(site, match, search, from, body));
  }

  private async answerFile(
    site: Site,
    match: Match,
    search: string,
    from: Arrival,
  ): Promise<FaultedResponse> {
    const name = `body-${randomUUID()}`;
    try {
      const maxBytes = match.route.maxBodyBytes ?? MAX_BODY_BYTES;
      const file = await readBodyToFile(from.request, this.files.path(name), maxBytes);
      if (file === null) return whole(site.refuse(413));
      const call = callOf(site, match, search, from, Buffer.alloc(0), file);
      return await this.answerCall(site, match, call);
    } finally {
      this.files.remove(name);
    }
  }

  private async answerCall(site: Site, match: Match, call: Call): Promise<FaultedResponse> {
    const { disturbable } = site;
    const handle = (): Handled => match.route.handle(call);
    const disturbance = disturbable && this.disturbance(disturbable, call);
    const faulted = disturbance
      ? await this.disturbed(disturbance, disturbable, handle)
      : whole(await handle());
    if (disturbable && faulted.answer)
      this.calls.count(disturbable.network, nameOf(match.route), faulted.answer.status);
    return faulted;
  }

  private disturbed(disturbance: Disturbance, disturbable: FaultInjectable, handle: () => Handled) {
    return disturbedCall(disturbance, disturbable, handle, (effect, by) => this.ledger.withhold(effect, by));
  }

  private disturbance(site: FaultInjectable, call: Call): Disturbance | undefined {
    if (this.faults.isQuiet) return undefined;
    return this.faults.disturb({ ...targetOf(site, call), text: site.textOf(call) });
  }
}

const callOf = (
  site: Site,
  { route, params }: Match,
  search: string,
  { request, client }: Arrival,
  body: Buffer,
  file?: BodyFile,
): Call => new Call(site.host, nameOf(route), params, search, request.headers, body, file, client);

const targetOf = (site: FaultInjectable, call: Call): FaultableCall => ({
  network: site.network,
  host: call.host,
  route: call.route,
  account: site.accountOf(call),
});
