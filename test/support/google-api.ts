import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A server in the place of the YouTube Data API that answers as a test says. For answers that no sandbox should give. */
export class GoogleApi {
  readonly calls: ReceivedCall[] = [];
  /** Set before a call. */
  answer: Answer = (_, response) => void response.writeHead(500).end();
  /** Called when a request begins; true: its body is left to the test. */
  whenBegun: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<GoogleApi> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const api = new GoogleApi(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void api.handle(request, response));
    return api;
  }

  json(status: number, body: unknown, headers: Record<string, string> = {}): void {
    this.answer = (_, response) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
  }

  /** An error in Google's format. */
  refuse(status: number, reason: string, headers: Record<string, string> = {}): void {
    const errors = [{ domain: 'youtube', reason, message: 'Refused.' }];
    this.json(status, { error: { code: status, message: 'Refused.', errors } }, headers);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.whenBegun(request, response)) return;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat(chunks);
    this.calls.push({ method, url, headers, body });
    this.answer(request, response, body);
  }
}
