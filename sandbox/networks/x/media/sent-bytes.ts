import type { Call } from '../../../wire/call.js';
import { BodyIsInvalid } from '../api/body-checks.js';

/** Fields and the bytes of a call with a file, as multipart or as JSON with base64. */
export interface SentBytes {
  readonly fields: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** Of the file of a multipart body. */
  readonly contentType: string | null;
}

/** @throws BodyIsInvalid */
export async function sentBytes(call: Call): Promise<SentBytes> {
  const form = await call.multipart();
  return form ? ofForm(form) : ofJson(call);
}

async function ofForm(form: FormData): Promise<SentBytes> {
  const fields: Record<string, string> = {};
  let file: File | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else if (name === 'media') file = value;
  }
  if (!file) throw new BodyIsInvalid('Missing media field in form data.');
  return { fields, bytes: Buffer.from(await file.arrayBuffer()), contentType: file.type || null };
}

function ofJson(call: Call): SentBytes {
  const value = call.mediaType === 'application/json' ? call.json?.value : undefined;
  if (typeof value !== 'object' || value === null) throw new BodyIsInvalid('Missing media field in JSON.');
  const { media, ...others } = value as Record<string, unknown>;
  if (typeof media !== 'string') throw new BodyIsInvalid('Missing media field in JSON.');
  const fields = Object.fromEntries(Object.entries(others).map(([name, each]) => [name, String(each)]));
  return { fields, bytes: Buffer.from(media, 'base64'), contentType: null };
}
