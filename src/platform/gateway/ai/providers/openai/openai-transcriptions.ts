import { Readable } from 'node:stream';
import { multipartBody } from '#libs/outbound-http';
import type { TranscriptionRequest } from '../wires/requests.js';
import type { Reply } from '../wires/exchange.js';
import { failureOf } from '../wires/failure.js';
import { record, text } from '../wires/values.js';
import type { Attempted, Transcript } from '../wires/wire.js';
import { requestIdOf } from './chat-response.js';
import { openAiFailure } from './openai-failures.js';
import { transcriptionUsage } from './openai-usage.js';

/** The provider tells the format by the extension. Formats: developers.openai.com, guides/speech-to-text. */
const EXTENSIONS = new Set(['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'ogg', 'wav', 'webm']);
const BY_TYPE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    flac: ['audio/flac', 'audio/x-flac'],
    mp3: ['audio/mpeg', 'audio/mp3'],
    m4a: ['audio/mp4', 'audio/x-m4a', 'audio/m4a'],
    mp4: ['video/mp4'],
    ogg: ['audio/ogg'],
    wav: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    webm: ['audio/webm', 'video/webm'],
  }).flatMap(([extension, types]) => types.map((type) => [type, extension])),
);
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const FALLBACK_TYPE = 'application/octet-stream';

/** Of the file as the provider sees it: names of callers can hold personal data. */
function fileNameOf({ name, mediaType }: TranscriptionRequest['file']): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const known = EXTENSIONS.has(extension) ? extension : BY_TYPE.get(baseType(mediaType));
  return known === undefined ? 'audio' : `audio.${known}`;
}

const baseType = (mediaType: string) => (mediaType.split(';')[0] ?? '').trim().toLowerCase();

/** The multipart body of `POST /v1/audio/transcriptions`: whole, because the time limit is one for the whole call. */
export async function transcriptionRequestOf(
  model: string,
  { file, language, prompt }: TranscriptionRequest,
): Promise<{ readonly contentType: string; readonly body: Buffer }> {
  const type = baseType(file.mediaType);
  const { contentType, body } = multipartBody(
    {
      model,
      response_format: 'json',
      ...(language !== null && { language }),
      ...(prompt !== null && { prompt }),
    },
    {
      field: 'file',
      fileName: fileNameOf(file),
      contentType: MEDIA_TYPE.test(type) ? type : FALLBACK_TYPE,
      length: file.bytes.length,
      open: () => Readable.from([file.bytes]),
    },
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of await body.open()) chunks.push(chunk);
  return { contentType, body: Buffer.concat(chunks, body.length) };
}

/** A successful response: `{text, usage}`. A recording without words has empty text. */
export function transcriptionResponseOf(reply: Reply, secret: string): Attempted<Transcript> {
  const body = record(reply.body);
  const usage = transcriptionUsage(body.usage);
  const requestId = requestIdOf(reply);
  const { status } = reply;
  if ((body.error ?? null) !== null)
    return { kind: 'failed', failure: openAiFailure(reply, secret), usage, requestId };
  if (typeof body.text !== 'string')
    return { kind: 'failed', failure: failureOf('unreadable', { status, secret }), usage, requestId };
  return { kind: 'answered', value: { text: body.text }, model: text(body.model), usage, requestId };
}
