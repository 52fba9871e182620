import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { FaultedResponse } from './faults/disturbed-call.js';
import type { Client } from './wire/call.js';
import {
  ConnectionIsCut,
  type ResponseStream,
  type SandboxResponse,
  type StreamEnd,
} from './wire/response.js';

/** Sends what a fault left of a response. */
export async function send(
  { answer, cut }: FaultedResponse,
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
): Promise<void> {
  if (!answer) return void request.socket.destroy();
  if (answer.file) return sendFile(answer, answer.file, response);
  if (answer.stream) return sendStream(answer, answer.stream, cut, response, client);
  const body = Buffer.from(answer.body, 'utf8');
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  if (!cut) return void response.end(body);
  response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
}

function sendFile(
  { status, headers }: SandboxResponse,
  { path, start, end }: NonNullable<SandboxResponse['file']>,
  response: ServerResponse,
): void {
  response.writeHead(status, { ...headers, 'content-length': end - start + 1 });
  pipeline(createReadStream(path, { start, end }), response, () => undefined);
}

/** Headers are sent with the first part. A fault that cuts a response cuts a stream after its first part. */
async function sendStream(
  { status, headers }: SandboxResponse,
  stream: ResponseStream,
  cut: boolean,
  response: ServerResponse,
  client: Client,
): Promise<void> {
  response.writeHead(status, headers);
  let end: StreamEnd;
  try {
    end = await sendParts(stream.parts(client.signal), cut, response, client);
  } catch (error) {
    if (!client.hasLeft && !(error instanceof ConnectionIsCut)) throw error;
    end = client.hasLeft ? 'client-left' : 'cut';
  } finally {
    // Nothing is left to send in a regular end; a part that was written is flushed before the connection closes.
    if (!response.writableEnded) response.socket?.destroySoon();
  }
  stream.ended?.(end);
}

async function sendParts(
  parts: AsyncIterable<Uint8Array>,
  cut: boolean,
  response: ServerResponse,
  client: Client,
): Promise<StreamEnd> {
  for await (const part of parts) {
    if (client.hasLeft) return 'client-left';
    if (!response.write(part)) await once(response, 'drain', { signal: client.signal });
    if (cut) return 'cut';
  }
  await new Promise<void>((resolve) => void response.end(resolve).once('close', resolve));
  return client.hasLeft ? 'client-left' : 'sent';
}
