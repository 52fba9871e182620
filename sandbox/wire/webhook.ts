import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 10_000;

/** @returns the status of the response; 0: none came */
export function postWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve) => {
    const noAnswer = (): void => resolve({ status: 0, text: '' });
    request(url, { method: 'POST', headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', noAnswer);
    })
      .on('error', noAnswer)
      .end(body);
  });
}

/** Deliveries in the background, each repeated until it is answered with 2xx. */
export class WebhookRetries {
  private ending = new AbortController();

  constructor(private readonly waitsMs: readonly number[]) {}

  /** @param deliver returns the status of the response; null: there is nothing to deliver any more */
  start(deliver: () => Promise<number | null>): void {
    void this.run(deliver, this.ending.signal);
  }

  /** Ends those that wait. */
  stop(): void {
    this.ending.abort();
    this.ending = new AbortController();
  }

  private async run(deliver: () => Promise<number | null>, signal: AbortSignal): Promise<void> {
    for (const wait of [0, ...this.waitsMs]) {
      const isOver = await sleep(wait, false, { ref: false, signal }).catch(() => true);
      if (isOver) return;
      const status = await deliver();
      if (status === null || (status >= 200 && status < 300)) return;
    }
  }
}
