import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { exactJson, hasLongNumber } from '#libs/outbound-http';
import { HttpProblem } from '../problems/problem.js';
import { cleanJson, InexactInteger, MAX_VALUES, tooManyValues } from './clean-json.js';
import { ClientClosedRequest } from './send-stream.js';

/** Bodies that cannot be parsed, as problems. The parser's messages quote the body, so they are not repeated. */
const notJson = {
  status: 400,
  code: 'malformed_json',
  title: 'Body is not JSON',
  detail: 'The body is not valid JSON.',
};

const notUtf8 = { ...notJson, detail: 'The body is not UTF-8.' };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Counts the values of a JSON text before it is parsed. JSON.parse makes an object for each of them: 20 MiB of `[` block the process for
 * seconds and take 1 GB, and so does 1 MiB of values together with a long integer, which is read from the source text. For text that is no JSON
 * the count means nothing.
 */
export class ValueCounter {
  private values = 1;
  private isInString = false;
  private isEscaped = false;
  private hasOpened = false;

  /** @throws RequestIsNotValid above `MAX_VALUES`, as `cleanJson` */
  add(bytes: Buffer): void {
    if (this.isInsideOfString(bytes)) return;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (this.isInString) this.inString(byte);
      else this.outside(byte);
    }
    if (this.values > MAX_VALUES) throw tooManyValues();
  }

  /** Most parts of an image are: their bytes need not be looked at one by one. */
  private isInsideOfString(bytes: Buffer): boolean {
    return this.isInString && !this.isEscaped && !bytes.includes(QUOTE) && !bytes.includes(BACKSLASH);
  }

  private inString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
  }

  private outside(byte: number): void {
    if (WHITE_SPACE.has(byte)) return;
    // An empty list or object has no value.
    if (byte === COMMA || (this.hasOpened && !CLOSING.has(byte))) this.values += 1;
    this.hasOpened = OPENING.has(byte);
    if (byte === QUOTE) this.isInString = true;
  }
}

/** JSON as it was sent: nothing in it is refused or changed, unlike in other bodies. @throws HttpProblem 400 */
export function parseJson(bytes: Buffer): unknown {
  const text = textOf(bytes);
  return valid(() => JSON.parse(text) as unknown);
}

/** The body of a request. @throws HttpProblem 400, RequestIsNotValid */
export function parseBody(bytes: Buffer): unknown {
  const text = textOf(bytes);
  if (hasLongNumber(text)) new ValueCounter().add(bytes);
  return cleanJson(valid(() => exactJson(text, InexactInteger.orNumber)));
}

/** Skips the byte order mark. */
const decoder = new TextDecoder();

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new HttpProblem(notUtf8);
  return decoder.decode(bytes);
}

function valid(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw new HttpProblem(notJson, { cause: error });
  }
}

const LARGE = Symbol('large JSON');
const BYTES = Symbol('bytes of JSON');

type Marked = IncomingMessage & { [LARGE]?: number; [BYTES]?: number };

/** Leaves the body for the route. @param bytes as the request declares them */
export function markLargeJson(request: IncomingMessage, bytes: number): void {
  (request as Marked)[LARGE] = bytes;
}

/** Of a body that was read. @param bytes after decompression */
export function noteJsonBytes(request: IncomingMessage, bytes: number): void {
  (request as Marked)[BYTES] = bytes;
}

/** The bytes of a JSON body, read or left for the route; 0: there is none. */
export const jsonBytesOf = (request: IncomingMessage): number =>
  largeJsonOf(request) ?? (request as Marked)[BYTES] ?? 0;

/** The declared bytes of a JSON body that the route must read with `receiveLargeJson`; null: it was read already. */
export const largeJsonOf = (request: IncomingMessage): number | null => (request as Marked)[LARGE] ?? null;

/**
 * Reads a body that `bodies.large` left for the route. Node ends it at the declared length. It must arrive within the time limit of usual
 * bodies.
 * @throws HttpProblem 400, RequestIsNotValid, ClientClosedRequest
 */
export async function receiveLargeJson(request: IncomingMessage): Promise<unknown> {
  return parseBody(await received(request));
}

async function received(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const values = new ValueCounter();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (chunk: Buffer) => {
    try {
      values.add(chunk);
      chunks.push(chunk);
    } catch (error) {
      reject(error);
    }
  };
  const cut = () => reject(new ClientClosedRequest());
  request.on('data', take).once('end', resolve).once('close', cut).once('error', cut);
  try {
    await promise;
    return Buffer.concat(chunks);
  } finally {
    // What is left of a refused body is discarded when the response is sent.
    request.off('data', take).off('end', resolve).off('close', cut).pause();
  }
}
