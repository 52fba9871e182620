import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves one buffer as the store does, by ranges, and counts what is sent. */
export class ServedBytes {
  private readonly server = createServer((request, response) => {
    const [, start = '', end = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const bytes = this.bytes.subarray(Number(start), Number(end) + 1);
    this.sent += bytes.length;
    response.writeHead(206, { 'content-length': bytes.length }).end(bytes);
  });
  bytes: Buffer = Buffer.alloc(0);
  sent = 0;

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get address() {
    const { port } = this.server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, etag: null, bytes: this.bytes.length };
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
