import type { ServerResponse } from 'node:http';
import { currentContext } from '../context/request-context.js';
import type { Problem } from './problem.js';
import { PROBLEM_MEDIA_TYPE, problemBody } from './problem.js';

/** What a half-made success may have left on the response and no error may carry. */
const OF_THE_SUCCESS = [
  'ETag',
  'Last-Modified',
  'Content-Disposition',
  'Content-Encoding',
  'Link',
  'Location',
];

/**
 * Writes a problem; headers that a guard has set already, such as its own challenge, are left as they are. Cuts the connection when the answer has begun and can no longer be taken back.
 */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const header of OF_THE_SUCCESS) response.removeHeader(header);
  for (const [name, value] of Object.entries(problem.headers ?? {})) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  response.statusCode = problem.status;
  response.setHeader('Content-Type', PROBLEM_MEDIA_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  const text =
    problem.storedBody ?? JSON.stringify(problemBody(problem, currentContext()?.requestId ?? null));
  const body = Buffer.from(text);
  response.setHeader('Content-Length', body.length);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
