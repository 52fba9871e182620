import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { HttpProblem } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import { allowSlowBody, hasBody, LINGER_MS } from './body-timeout.js';
import { cleanJson } from './clean-json.js';
import { largeJsonOf, markLargeJson, noteJsonBytes, parseBody } from './parse-json.js';

/**
 * For bodies that a route reads itself. If the route responds before the end of the body, the rest is discarded for a
 * moment and the connection then closed. Closing it at once would reset it before the client reads the response
 * (RFC 9112, 9.6).
 */
function discardUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.unpipe();
    request.resume();
    const cut = setTimeout(() => request.destroy(), LINGER_MS).unref();
    request.once('close', () => clearTimeout(cut));
  });
}

/** 1 MB of JSON, after decompression. */
export const BODY_LIMIT_BYTES = 1_048_576;

/** Bodies that a service accepts in addition to JSON, by path. */
export interface AdditionalBodies {
  /** `application/x-www-form-urlencoded`, as OAuth and signed callbacks send it; parsed into `request.body`. */
  readonly form?: (path: string) => boolean;
  /** Bodies that the route reads itself, such as `multipart/form-data`. No time limit while bytes arrive. */
  readonly unparsed?: (path: string, mediaType: string) => boolean;
  /**
   * JSON of more than `BODY_LIMIT_BYTES` by its Content-Length, without a content coding: the route reads it with `receiveLargeJson`, when the
   * caller is known. Smaller bodies are read as usual.
   */
  readonly large?: (path: string) => boolean;
  /**
   * JSON whose bytes the route reads with `rawBodyOf`, and parses with `parseJson` when their signature is verified: signed webhooks.
   * It is not cleaned: a sender that repeats what is refused would repeat it until it gives up.
   */
  readonly raw?: (path: string) => boolean;
}

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A body has no meaning with these methods (RFC 9110, 9.3.1 and 9.3.5) and is ignored. */
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE', 'OPTIONS'];

/** Reads and cleans bodies; every refusal is a problem. */
export function useBodies(app: NestExpressApplication, further: AdditionalBodies): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!hasBody(request)) return next();
    nameCharset(request);
    const isUpload = !ignoresBody(request) && isReadByRoute(request, further);
    if (isUpload) allowSlowBody(request);
    const largeBytes = isUpload ? null : largeBytesOf(request, further);
    if (largeBytes !== null) markLargeJson(request, largeBytes);
    if (isUpload || largeBytes !== null || ignoresBody(request)) discardUnreadBody(request, response);
    else if (!isSupportedType(request, further)) throw new HttpProblem({ status: 415, ...textsFor(415) });
    next();
  });
  const isSmallJson = (request: IncomingMessage) =>
    !ignoresBody(request) && JSON_TYPE.test(mediaType(request)) && largeJsonOf(request) === null;
  // Express: the parsers run as its middleware.
  const isRaw = (request: IncomingMessage) => further.raw?.((request as Request).path) ?? false;
  const isForm = (request: IncomingMessage) => !ignoresBody(request) && mediaType(request) === FORM_TYPE;
  app.useBodyParser('raw', { limit: BODY_LIMIT_BYTES, type: isSmallJson });
  app.useBodyParser('urlencoded', { limit: BODY_LIMIT_BYTES, extended: false, type: isForm });
  app.use((request: Request, _response: Response, next: NextFunction) => {
    const { body } = request as { body: unknown };
    if (Buffer.isBuffer(body) && !isRaw(request)) request.body = parsedBody(request, body);
    else if (body !== undefined && !Buffer.isBuffer(body)) request.body = cleanJson(body);
    next();
  });
  app.use((error: unknown, _request: Request, _response: Response, next: NextFunction) =>
    next(asProblem(error)),
  );
}

function parsedBody(request: Request, bytes: Buffer): unknown {
  noteJsonBytes(request, bytes.length);
  return bytes.length === 0 ? {} : parseBody(bytes);
}

/** The parsers know UTF-8 by its registered name only; clients write the name of programming languages, too. */
function nameCharset({ headers }: IncomingMessage): void {
  headers['content-type'] &&= headers['content-type'].replace(
    /;\s*charset\s*=\s*"?utf8"?\s*(?=;|$)/i,
    '; charset=utf-8',
  );
}

const ignoresBody = ({ method = '' }: IncomingMessage): boolean => WITHOUT_BODY.includes(method);

function isReadByRoute(request: Request, { unparsed }: AdditionalBodies): boolean {
  return unparsed?.(request.path, mediaType(request)) ?? false;
}

/** null: the body is small, or of another kind. */
function largeBytesOf(request: Request, { large }: AdditionalBodies): number | null {
  const { 'content-length': length, 'content-encoding': coding = 'identity' } = request.headers;
  const isLarge = coding === 'identity' && Number(length ?? 0) > BODY_LIMIT_BYTES;
  const isJson = !ignoresBody(request) && JSON_TYPE.test(mediaType(request));
  return isLarge && isJson && large?.(request.path) ? Number(length) : null;
}

/** JSON is UTF-8 (RFC 8259, 8.1); a signed webhook is read as it is. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-8"?\s*(;|$))/i;

function isSupportedType(request: Request, { form, raw }: AdditionalBodies): boolean {
  const type = mediaType(request);
  if (!JSON_TYPE.test(type)) return type === FORM_TYPE && (form?.(request.path) ?? false);
  return !OTHER_CHARSET.test(request.headers['content-type'] ?? '') || (raw?.(request.path) ?? false);
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** body-parser's errors by their documented `type`; its messages quote the body, so they are not repeated. */
function asProblem(error: unknown): unknown {
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') {
    const detail = `The body is larger than ${BODY_LIMIT_BYTES} bytes.`;
    return new HttpProblem({ status: 413, ...textsFor(413), detail }, { cause: error });
  }
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new HttpProblem({ status: 415, ...textsFor(415) }, { cause: error });
  }
  return error;
}
