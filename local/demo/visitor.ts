import { DemoIsUnavailable } from './demo.js';

/** A service responded with another status than 2xx. Contains the problem's `detail` if there is one. */
export class UnexpectedStatus extends DemoIsUnavailable {
  constructor(
    what: string,
    readonly status: number,
    text = '',
  ) {
    const detail = detailIn(text);
    super(`${what} answered ${status}${detail && `: ${detail.replace(/\.$/, '')}`}`);
  }
}

/** The `detail` of a problem (RFC 9457), else empty. */
function detailIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : '';
  } catch {
    return '';
  }
}

/** @returns undefined if the response has this status */
export async function unless<T>(status: number, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UnexpectedStatus && error.status === status) return undefined;
    throw error;
  }
}

/** An HTTP client that sends JSON or forms, keeps cookies and follows no redirect. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly headers: Readonly<Record<string, string>> = {}) {}

  /** @throws UnexpectedStatus, or DemoIsUnavailable when the service is unreachable */
  async json<T>(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<T> {
    const answer = await this.send(url, {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new UnexpectedStatus(`${method} ${new URL(url).pathname}`, answer.status, text);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  async page(url: string): Promise<string> {
    const answer = await this.send(url, {});
    if (!answer.ok)
      throw new UnexpectedStatus(`GET ${new URL(url).pathname}`, answer.status, await answer.text());
    return answer.text();
  }

  /** @returns the redirect's address */
  async submit(url: string, fields: URLSearchParams): Promise<string> {
    const answer = await this.send(url, { method: 'POST', body: fields });
    const location = answer.headers.get('location');
    if (!location) throw new UnexpectedStatus(`POST ${new URL(url).pathname}`, answer.status);
    return new URL(location, url).toString();
  }

  private async send(url: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      ...this.headers,
      ...(init.headers as Record<string, string>),
      ...(cookie && { cookie }),
    };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' }).catch((cause: unknown) => {
      throw new DemoIsUnavailable(`${new URL(url).origin} cannot be reached`, { cause });
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }
}
