import { type ArgumentsHost, Catch, type ExceptionFilter, Logger, NotFoundException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientClosedRequest } from '../boundary/send-stream.js';
import { problemOf } from '../problems/problem-of.js';
import { type Problem, sendProblem } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import { RefusedCredentialsGuard } from '../rate-limits/refused-credentials.guard.js';

/** The used part of the router's layers. `match` decodes parameters and may throw URIError. */
interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods of the routes that match the request's path, sorted; empty for an unknown path. */
function allowedMethods(request: Request): string[] {
  const stack = (request.app.router as unknown as { stack: readonly RouteLayer[] }).stack;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

/** Converts everything thrown by a request into a problem. The only filter. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  constructor(private readonly refused: RefusedCredentialsGuard) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (isUnknownRoute(exception, request)) return this.answerUnknownRoute(request, response);
    const problem = problemOf(exception);
    this.log(problem, exception, request);
    if (problem.status !== 401) return sendProblem(response, problem);
    const answer = this.refused.answerTo(request, problem);
    if (answer.status !== 401) response.removeHeader('WWW-Authenticate');
    sendProblem(response, answer);
  }

  private answerUnknownRoute(request: Request, response: Response): void {
    const allowed = allowedMethods(request);
    if (allowed.length === 0) return sendProblem(response, { status: 404, ...textsFor(404) });
    const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') };
    if (request.method === 'OPTIONS') {
      response.status(204).set(headers).end();
      return;
    }
    const detail = `This address answers to ${allowed.join(', ')} only.`;
    sendProblem(response, { status: 405, ...textsFor(405), detail, headers });
  }

  /** Logs server errors with their cause. Client errors are in the request's own log line. */
  private log(problem: Problem, exception: unknown, request: Request): void {
    if (exception instanceof ClientClosedRequest) {
      this.logger.debug({ method: request.method, path: request.path }, 'client hung up');
    } else if (problem.status === 500) {
      this.logger.error({ err: exception, method: request.method, path: request.path }, 'request failed');
    } else if (problem.status > 500) {
      this.logger.warn({ err: exception, method: request.method, path: request.path }, problem.title);
    }
  }
}

/** Nest's catch-all and handlers throw the same class; only for the former no route matched. */
function isUnknownRoute(exception: unknown, request: Request): boolean {
  return exception instanceof NotFoundException && !request.route;
}
