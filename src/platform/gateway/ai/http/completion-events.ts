import { Logger } from '@nestjs/common';
import { DomainError } from '#libs/errors';
import { currentContext, problemBodyOf } from '#libs/http';
import type { RunningStream, StreamEvent } from '../calls/call/running-stream.js';
import { AnswerDto } from './dto/answer.dto.js';
import { sse } from './event-stream.js';

const logger = new Logger('CompletionStream');

/**
 * A stream as server-sent events: `delta`, `tool`, and last `end` or `error`. An `error` has the body of a problem.
 * @param opening can fail after the response has begun
 * @param ended called at their end
 */
export function completionEvents(
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
