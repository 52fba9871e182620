import { type ApiResponse, ask } from './call.js';

export interface Form {
  readonly file?: string | Buffer;
  readonly name?: string;
  readonly mapping?: unknown;
  readonly options?: unknown;
}

/** Sends a multipart form as a browser does. Text parts are sent unchanged, other values as JSON. */
export function importing(
  url: string,
  token: string | undefined,
  form: Form,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const body = new FormData();
  const text = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));
  if (form.mapping !== undefined) body.set('mapping', text(form.mapping));
  if (form.options !== undefined) body.set('options', text(form.options));
  if (form.file !== undefined) body.set('file', new Blob([form.file]), form.name ?? 'contacts.csv');
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  return ask(`${url}/api/contacts/import`, {
    method: 'POST',
    body,
    headers: { ...authorization, ...headers },
  });
}
