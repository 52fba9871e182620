import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The client of a call: whether it closed its connection before it had the whole response. */
export class Client {
  private controller?: AbortController;

  constructor(
    /** Without one, the client never leaves. */
    private readonly response?: ServerResponse,
  ) {}

  get hasLeft(): boolean {
    return this.response !== undefined && this.response.closed && !this.response.writableFinished;
  }

  /** Aborted when the client leaves. Created on demand: most calls are answered at once. */
  get signal(): AbortSignal {
    if (this.controller) return this.controller.signal;
    const controller = (this.controller = new AbortController());
    if (this.hasLeft) controller.abort();
    else this.response?.once('close', () => this.hasLeft && controller.abort());
    return controller.signal;
  }
}

export interface BodyFile {
  readonly path: string;
  readonly bytes: number;
}

/** One request as a handler sees it: routed, its body read whole and not yet parsed. */
export class Call {
  private parsed?: { readonly value: unknown } | null;
  private text?: string;

  constructor(
    /** Which of the network's hosts was addressed, such as `api` or `legacy`. */
    readonly host: string,
    /** Method and path pattern, such as `GET /2/tweets/:id`. */
    readonly route: string,
    readonly params: Readonly<Record<string, string>>,
    private readonly search: string,
    readonly headers: IncomingHttpHeaders,
    readonly bytes: Buffer,
    /** Of a route whose body is a file; removed after the call unless the handler moves it. */
    readonly file: BodyFile | null = null,
    readonly client: Client = new Client(),
  ) {}

  get body(): string {
    return (this.text ??= this.bytes.toString('utf8'));
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }

  get form(): URLSearchParams {
    return new URLSearchParams(this.body);
  }

  /** The body as JSON, or null when it is none. */
  get json(): { readonly value: unknown } | null {
    if (this.parsed === undefined) this.parsed = parse(this.body);
    return this.parsed;
  }

  /** The members of a JSON body; none when it is no object. */
  get record(): Readonly<Record<string, unknown>> {
    const value = this.mediaType === 'application/json' ? this.json?.value : undefined;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  }

  /** The fields and files of a multipart body; null when it is none. */
  async multipart(): Promise<FormData | null> {
    const type = this.headers['content-type'] ?? '';
    if (this.mediaType !== 'multipart/form-data') return null;
    const body = new Response(new Uint8Array(this.bytes), { headers: { 'content-type': type } });
    return body.formData().catch(() => null);
  }

  get mediaType(): string {
    return (this.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  }

  get bearerToken(): string | null {
    return /^Bearer +(\S+) *$/i.exec(this.headers.authorization ?? '')?.[1] ?? null;
  }
}

function parse(body: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    return null;
  }
}
