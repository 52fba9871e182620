export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined where there is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert its shape
  readonly body: any;
  readonly text: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Call = (
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse>;

/** Sends JSON; `undefined` sends no body. */
export function callOf(base: string, always: Record<string, string>): Call {
  return (method, path, body, headers = {}) => {
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    return ask(`${base}${path}`, {
      method,
      headers: { ...content, ...always, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  };
}

/** Sends the request unchanged and follows no redirect. */
export async function ask(url: string, init: RequestInit): Promise<ApiResponse> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
