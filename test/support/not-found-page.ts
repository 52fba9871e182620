import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer that knows no host: 404 with a page to each request. */
export class NotFoundPage {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<NotFoundPage> {
    const page = '<!doctype html><html><body><h1>404 Not Found</h1></body></html>';
    const server = createServer((_, response) => void response.writeHead(404).end(page));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new NotFoundPage(server);
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
