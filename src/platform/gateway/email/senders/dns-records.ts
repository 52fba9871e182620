import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import { EmailConfig } from '../email.config.js';

const TXT = 16;
const TIMEOUT_MS = 5_000;

/** DNS queries over HTTPS in JSON, as Google and Cloudflare answer them (developers.google.com/speed/public-dns/docs/doh/json). */
@Injectable()
export class DnsRecords {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: EmailConfig,
  ) {}

  /** The TXT records of a name; null when the DNS gave no answer. */
  async txt(name: string): Promise<string[] | null> {
    const query = new URLSearchParams({ name, type: 'TXT' });
    const response = await this.http.send({
      method: 'GET',
      url: `${this.config.dnsUrl}?${query.toString()}`,
      headers: { accept: 'application/dns-json' },
      timeoutMs: TIMEOUT_MS,
    });
    if (response.kind !== 'answered' || response.status !== 200) return null;
    const { Status: status, Answer: answer } = (response.body ?? {}) as {
      Status?: unknown;
      Answer?: unknown;
    };
    // 0: answered; 3: no such name.
    if (status === 3) return [];
    if (status !== 0) return null;
    return (Array.isArray(answer) ? answer : []).flatMap(textIn);
  }
}

/** Long texts are several quoted strings, which belong together. */
function textIn(record: unknown): string[] {
  const { type, data } = record as { type?: unknown; data?: unknown };
  if (type !== TXT || typeof data !== 'string') return [];
  return [data.replace(/" "/g, '').replace(/^"|"$/g, '')];
}
