import { Injectable, Logger, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { within } from '#libs/concurrency';
import { DomainError } from '#libs/errors';
import { currentContext, problemBodyOf } from '#libs/http';
import { type AiCall, type AiCaller, AiRequests, type Choice } from '../calls/admit/ai-requests.js';
import { Slots } from '../calls/admit/slots.js';
import type { RunningStream, StreamEvent } from '../calls/call/running-stream.js';
import { StreamedCalls } from '../calls/call/streamed-calls.js';
import { NoAttemptSucceeded } from '../calls/fallback/no-attempt-succeeded.js';
import type { CompletionRequest } from '../providers/wires/requests.js';
import { AnswerDto } from './dto/answer.dto.js';
import { EventStream, KEEP_ALIVE_MS, sse } from './event-stream.js';
import { nameAttempts } from './with-attempts.js';

const logger = new Logger('CompletionStream');

/**
 * A stream as server-sent events: `delta`, `tool`, and last `end` or `error`. An `error` has the body of a problem.
 * @param opening can fail after the response has begun
 * @param ended called at their end
 */
function completionEvents(
  id: string,
  opening: Promise<RunningStream>,
  ended: () => Promise<void>,
): AsyncGenerator<string, undefined> {
  // Later calls come from the socket, outside of the context of the request.
  return eventsOf({ id, requestId: currentContext()?.requestId ?? null }, opening, ended);
}

interface Ids {
  readonly id: string;
  readonly requestId: string | null;
}

async function* eventsOf(
  ids: Ids,
  opening: Promise<RunningStream>,
  ended: () => Promise<void>,
): AsyncGenerator<string, undefined> {
  try {
    const stream = await opening;
    for await (const event of stream.events()) yield written(ids, event);
  } catch (error) {
    if (!(error instanceof DomainError)) logger.error({ err: error }, 'A stream failed.');
    yield sse('error', problemBodyOf(error, ids.requestId));
  } finally {
    await ended();
  }
}

function written({ id, requestId }: Ids, event: StreamEvent): string {
  switch (event.kind) {
    case 'text':
      return sse('delta', { text: event.text });
    case 'tool': {
      const { index, id: call, name, arguments: part } = event;
      return sse('tool', { index, id: call, name, arguments: part });
    }
    case 'end':
      return sse('end', { finishReason: event.finishReason, ...AnswerDto.partsOf(id, event) });
    case 'error':
      return sse('error', problemBodyOf(event.error, requestId));
  }
}

/** For a client to read what is left when the time of its request is over. */
const LAST_EVENTS_MS = 5_000;

/** Answers completions as server-sent events. */
@Injectable()
export class CompletionStreams {
  constructor(
    private readonly requests: AiRequests,
    private readonly calls: StreamedCalls,
    private readonly slots: Slots,
  ) {}

  /**
   * Resolves with the first content, or earlier when it takes so long that a proxy would end the connection. Failures before that
   * have their own status, later ones are an `error` event.
   * @throws TooManyStreams, as `AiRequests.open` and `StreamedCalls.begin`
   */
  async begin(
    caller: AiCaller,
    choice: Choice,
    request: CompletionRequest,
    response: Response,
  ): Promise<StreamableFile> {
    const scope = new AsyncDisposableStack();
    try {
      scope.use(this.slots.completion(caller.attribution.organizationId, true));
      const call = await this.requests.open(scope, caller, 'completions', choice);
      const opening = this.calls.begin(call, request);
      await firstOf(opening, KEEP_ALIVE_MS, response);
      return this.answer(call, opening, response);
    } catch (error) {
      await scope.disposeAsync();
      if (error instanceof NoAttemptSucceeded) nameAttempts(response, error.attempts);
      throw error;
    }
  }

  /** The call ends with the events, or with the connection when they were not read. */
  private answer(
    { requestId, deadline, scope }: AiCall,
    opening: Promise<RunningStream>,
    response: Response,
  ): StreamableFile {
    const end = () => scope.disposeAsync();
    const events = new EventStream(completionEvents(requestId, opening, end));
    endWithReader(events, response, deadline.signal);
    // The iterator does not run its `finally` unless it was started.
    events.once('close', () => void opening.then((stream) => stream[Symbol.asyncDispose]()).then(end, end));
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Accel-Buffering', 'no');
    return new StreamableFile(events, { type: 'text/event-stream; charset=utf-8' });
  }
}

/** Ends the connection of a client that does not read: its stream would keep its place and its reservation until TCP gives up. */
function endWithReader(events: EventStream, response: Response, deadline: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => (timer = setTimeout(() => response.destroy(), LAST_EVENTS_MS));
  if (deadline.aborted) wait();
  else deadline.addEventListener('abort', wait, { once: true });
  events.once('close', () => {
    clearTimeout(timer);
    deadline.removeEventListener('abort', wait);
  });
}

/** Resolves with the stream or after a time, and rejects when the stream could not be opened by then. */
async function firstOf(opening: Promise<RunningStream>, milliseconds: number, response: Response) {
  const begun = opening.then(({ attempts }) => nameAttempts(response, attempts));
  await within(milliseconds, begun);
}
