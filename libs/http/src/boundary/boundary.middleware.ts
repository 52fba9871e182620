import { randomUUIDv7 } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { addressOf } from '../context/principal.js';
import { acceptableRequestId, continueTrace, runInContext } from '../context/request-context.js';
import { sendProblem } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import { isStorable } from './clean-json.js';
import { API_HEADERS, type CorsPolicy } from './cors.js';
import { isServed, listenerOf } from './listener.js';

/**
 * Calls `normalise` just before the headers are sent. Headers passed to `writeHead` are set on the response first,
 * so that `normalise` sees all of them.
 */
function beforeHeaders(response: ServerResponse, normalise: () => void): void {
  const writeHead = response.writeHead.bind(response);
  let done = false;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (done) return writeHead(status);
    done = true;
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    setAll(
      response,
      rest.find((part) => typeof part === 'object' && part !== null),
    );
    response.statusCode = status;
    normalise();
    return reason === undefined ? writeHead(status) : writeHead(status, reason);
  };
}

/** `writeHead` takes an object, a flat list of names and values, or a list of pairs. */
function setAll(response: ServerResponse, headers: unknown): void {
  if (headers === undefined) return;
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    return;
  }
  const flat = headers.flat() as string[];
  const seen = new Set<string>();
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = flat[index] as string;
    const value = flat[index + 1] as string;
    if (seen.has(name.toLowerCase())) response.appendHeader(name, value);
    else response.setHeader(name, value);
    seen.add(name.toLowerCase());
  }
}

export interface Boundary {
  readonly service: string;
  readonly cors: CorsPolicy;
  /** Called once per request, in its context, when its answer is complete or its connection is gone. */
  readonly observe: (request: Request, response: Response, seconds: number) => void;
  /** While true, every response closes its connection, so that the server can close. */
  readonly isDraining: () => boolean;
}

/** The outermost middleware: every response of a service passes through it, errors too. */
export function boundary({ service, cors, observe, isDraining }: Boundary) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const requestId = acceptableRequestId(request.headers['x-request-id']) ?? randomUUIDv7();
    const trace = continueTrace(request.headers.traceparent as string | undefined);
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of API_HEADERS) response.setHeader(name, value);
    beforeHeaders(response, () => {
      if (isDraining()) response.shouldKeepAlive = false;
      if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-store');
      cors.apply(response, request.headers.origin);
    });
    const context = {
      requestId,
      correlationId: trace.traceId,
      traceparent: trace.traceparent,
      service,
      client: addressOf(request),
      organizationIds: new Set<string>(),
      owners: new Set<string>(),
    };
    response.once('close', () =>
      runInContext(context, () => observe(request, response, (performance.now() - startedAt) / 1000)),
    );
    runInContext(context, () => enter(request, response, next));
  };
}

function enter(request: Request, response: Response, next: NextFunction): void {
  if (isWithoutHost(request)) {
    const detail = 'HTTP/1.1 needs a Host header. Send the name of this service in it.';
    return sendProblem(response, { status: 400, ...textsFor(400), detail });
  }
  if (!isServed(request, listenerOf(request)) || !isReadable(request.path)) {
    return sendProblem(response, { status: 404, ...textsFor(404) });
  }
  if (!isExpectable(request.headers.expect)) return sendProblem(response, { status: 417, ...textsFor(417) });
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
    response.statusCode = 204;
    response.end();
    return;
  }
  next();
}

/** RFC 9112, section 3.2: such a request is answered 400. */
const isWithoutHost = ({ headers, httpVersion }: Request): boolean =>
  headers.host === undefined && httpVersion === '1.1';

/** Node handles 100-continue itself; no other expectation is defined (RFC 9110, 10.1.1). */
const isExpectable = (expected = '100-continue'): boolean => /^100-continue$/i.test(expected);

/** No resource has broken escapes or NUL characters in its path. */
function isReadable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return isStorable(decodeURIComponent(path));
  } catch {
    return false;
  }
}
