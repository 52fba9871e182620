import type { ServerResponse } from 'node:http';
import { currentContext } from '../context/request-context.js';
import { type Problem, PROBLEM_MEDIA_TYPE, problemBody } from './problem.js';

/** Headers of an unfinished success that no error may carry. */
const SUCCESS_HEADERS = [
  'ETag',
  'Last-Modified',
  'Content-Disposition',
  'Content-Encoding',
  'Link',
  'Location',
];

/**
 * Writes a problem. Headers that a guard has set, such as its challenge, stay. Closes the connection when the response has
 * already begun.
 */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const header of SUCCESS_HEADERS) response.removeHeader(header);
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
