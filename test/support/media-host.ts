import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryFile } from './memory-file.js';

/** A file that a network fetches from the media host. */
export class FetchedFile extends MemoryFile {
  constructor(
    content: Uint8Array,
    private readonly at: () => string,
    more: ConstructorParameters<typeof MemoryFile>[1],
  ) {
    super(content, more);
  }

  override address(): string {
    return this.at();
  }

  get sha256(): string {
    return createHash('sha256').update(this.content).digest('hex');
  }
}

/** How a request is answered instead of with the file. */
export type MediaHostFault = 'gone' | 'html' | 'redirect' | 'cut';

/** The media host of the product as networks see it: one address for each file, bytes only. */
export class MediaHost {
  private readonly files = new Map<string, FetchedFile>();
  private readonly faults: MediaHostFault[] = [];
  /** Ids of media, in the order of requests. */
  readonly fetched: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly url: string,
  ) {}

  static async start(): Promise<MediaHost> {
    const server = createServer((request, response) => host.answer(request.url ?? '', response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = new MediaHost(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return host;
  }

  /** Serves the bytes from now on. */
  file(content: Uint8Array, more: ConstructorParameters<typeof MemoryFile>[1] = {}): FetchedFile {
    const { mediaId = randomUUID() } = more;
    const file = new FetchedFile(content, () => `${this.url}/m/${mediaId}`, { ...more, mediaId });
    this.files.set(mediaId, file);
    return file;
  }

  /** The next requests are answered so, one each. */
  failNext(...faults: readonly MediaHostFault[]): void {
    this.faults.push(...faults);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private answer(path: string, response: ServerResponse): void {
    const file = this.files.get(path.replace('/m/', ''));
    const fault = file ? this.faults.shift() : 'gone';
    if (file) this.fetched.push(file.mediaId);
    if (fault === 'gone' || !file) return void response.writeHead(404).end();
    if (fault === 'html')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    if (fault === 'redirect')
      return void response.writeHead(302, { location: `${this.url}/m/${file.mediaId}` }).end();
    const headers = { 'content-type': file.contentType, 'content-length': file.content.length };
    response.writeHead(200, headers);
    if (fault === 'cut') return void response.write(file.content.subarray(0, 10), () => response.destroy());
    response.end(file.content);
  }
}
