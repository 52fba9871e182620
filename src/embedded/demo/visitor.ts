import { WithoutDemo } from './demo.js';

/** A service answered, but not with a 2xx; in its own words where it has some for people. */
export class AnsweredOtherwise extends WithoutDemo {
  constructor(
    what: string,
    readonly status: number,
    text = '',
  ) {
    const detail = detailIn(text);
    super(`${what} answered ${status}${detail && `: ${detail.replace(/\.$/, '')}`}`);
  }
}

/** Of a problem (RFC 9457), empty for anything else. */
function detailIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : '';
  } catch {
    return '';
  }
}

/** @returns undefined when the answer is this status */
export async function unless<T>(status: number, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AnsweredOtherwise && error.status === status) return undefined;
    throw error;
  }
}

/** What a person's browser or an automation's client does: send JSON or a form, keep cookies, follow nothing by itself. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly headers: Readonly<Record<string, string>> = {}) {}

  /** @throws AnsweredOtherwise, or WithoutDemo when nothing answers */
  async json<T>(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<T> {
    const answer = await this.send(url, {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new AnsweredOtherwise(`${method} ${new URL(url).pathname}`, answer.status, text);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  async page(url: string): Promise<string> {
    const answer = await this.send(url, {});
    if (!answer.ok)
      throw new AnsweredOtherwise(`GET ${new URL(url).pathname}`, answer.status, await answer.text());
    return answer.text();
  }

  /** @returns where the answer leads. */
  async submit(url: string, fields: URLSearchParams): Promise<string> {
    const answer = await this.send(url, { method: 'POST', body: fields });
    const location = answer.headers.get('location');
    if (!location) throw new AnsweredOtherwise(`POST ${new URL(url).pathname}`, answer.status);
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
      throw new WithoutDemo(`${new URL(url).origin} cannot be reached`, { cause });
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }
}
