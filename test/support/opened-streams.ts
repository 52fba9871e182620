import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

const BODY = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Hello' }] });
/** Connections that are opened together: a listening socket has a short queue. */
const TOGETHER = 100;

/** Streamed completions over a connection each, with as little work in this process as possible. */
export class OpenedStreams {
  private readonly agent = new Agent({ keepAlive: false, maxSockets: Infinity });

  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Resolves with the heads of the responses; their bodies are not read yet. */
  async open(count: number): Promise<IncomingMessage[]> {
    const opened: IncomingMessage[] = [];
    while (opened.length < count) {
      const length = Math.min(TOGETHER, count - opened.length);
      opened.push(...(await Promise.all(Array.from({ length }, () => this.head()))));
    }
    return opened;
  }

  /** Without waiting for a response. */
  begin(): ClientRequest {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const sent = request(this.url, { method: 'POST', headers, agent: this.agent });
    sent.on('error', () => undefined);
    sent.end(BODY);
    return sent;
  }

  textOf(response: IncomingMessage): Promise<string> {
    return text(response);
  }

  /** Ends all connections. */
  close(): void {
    this.agent.destroy();
  }

  private head(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => this.begin().once('response', resolve).once('error', reject));
  }
}
