import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy to another server. While it is closed, requests with an effect wait. */
export class Gate {
  private readonly server = createServer((incoming, outgoing) => void this.let(incoming, outgoing));
  private readonly queue: (() => void)[] = [];
  private isOpen = true;
  private target = '';

  static async build(): Promise<Gate> {
    const gate = new Gate();
    await new Promise<void>((resolve) => gate.server.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  leadsTo(url: string): void {
    this.target = url;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.queue.length;
  }

  shut(): void {
    this.isOpen = false;
  }

  open(): void {
    this.isOpen = true;
    for (const go of this.queue.splice(0)) go();
  }

  async close(): Promise<void> {
    this.open();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async let(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!this.isOpen && incoming.method !== 'GET')
      await new Promise<void>((resolve) => this.queue.push(resolve));
    const { method, headers, url = '' } = incoming;
    const beyond = request(this.target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    beyond.on('error', () => outgoing.destroy());
    incoming.pipe(beyond);
  }
}
