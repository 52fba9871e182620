/* Functions that a page runs: they use nothing but their argument and what browsers have. */

/** What a page is given. */
export interface PageContext {
  readonly api: string;
  readonly token: string;
  readonly brandId: string;
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly media: { readonly id: string };
    readonly upload: {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly partBytes: number;
      readonly partCount: number;
    };
    readonly status: string;
    readonly uploaded: readonly { readonly partNumber: number }[];
    readonly parts: readonly {
      readonly partNumber: number;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }[];
  };
}

/** What `installUploader` leaves in the page. */
export interface Uploader {
  call(path: string, body: object): Promise<Answer>;
  send(url: string, headers: Readonly<Record<string, string>>, body: Blob): Promise<[number, string | null]>;
  sha256(blob: Blob): Promise<string>;
  /** The same bytes for the same seed. */
  file(bytes: number, seed: number, type: string): Blob;
}

declare global {
  var uploader: Uploader;
}

/** Runs in the page, before the others. */
export function installUploader({ api, token, brandId }: PageContext): void {
  globalThis.uploader = {
    async call(path, body) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const text = JSON.stringify(path === '/upload' ? { brandId, ...body } : body);
      const response = await fetch(`${api}/api/media${path}`, { method: 'POST', headers, body: text });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    },
    async send(url, headers, body) {
      const response = await fetch(url, { method: 'PUT', headers, body });
      return [response.status, response.headers.get('etag')];
    },
    async sha256(blob) {
      const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    file(bytes, seed, type) {
      const content = new Uint8Array(bytes);
      for (let at = 0; at < bytes; at += 1) content[at] = (at * seed) >> 8;
      return new Blob([content], { type });
    },
  };
}
