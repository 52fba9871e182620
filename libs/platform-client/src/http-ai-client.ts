import { Injectable } from '@nestjs/common';
import { multipartBody, type OutboundRequest } from '#libs/outbound-http';
import { AiClient, aiResultOf } from './ai-client.js';
import type {
  AiAnswer,
  AiAttempt,
  AiClientCall,
  AiResult,
  CompletionRequest,
  CompletionResult,
  ImageRequest,
  ImagesResult,
  Recording,
  TranscriptResult,
} from './ai.types.js';
import { GatewayConnection } from './gateway-connection.js';
import {
  count,
  list,
  nullable,
  object,
  oneOf,
  text,
  textOrEmpty,
  UnexpectedShape,
  uuid,
} from './response-shape.js';

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'other'] as const;
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

function readAnswer(body: unknown): AiAnswer {
  const answer = object(body, 'body');
  return {
    id: uuid(answer.id, 'id'),
    model: text(answer.model, 'model'),
    requestedModel: text(answer.requestedModel, 'requestedModel'),
    cost: nullable(answer.cost, 'cost', text),
    attempts: list(answer.attempts, 'attempts', readAttempt),
  };
}

function readAttempt(value: unknown, path: string): AiAttempt {
  const attempt = object(value, path);
  return {
    provider: text(attempt.provider, `${path}.provider`),
    model: text(attempt.model, `${path}.model`),
    credential: oneOf(attempt.credential, `${path}.credential`, ['own', 'platform']),
    outcome: text(attempt.outcome, `${path}.outcome`),
    milliseconds: count(attempt.milliseconds, `${path}.milliseconds`),
  };
}

/** @throws UnexpectedShape, like the functions below */
function readCompletion(body: unknown): CompletionResult {
  const completion = object(body, 'body');
  return {
    ...readAnswer(body),
    text: textOrEmpty(completion.text, 'text'),
    toolCalls: list(completion.toolCalls, 'toolCalls', (value, path) => {
      const call = object(value, path);
      return {
        id: text(call.id, `${path}.id`),
        name: text(call.name, `${path}.name`),
        arguments: textOrEmpty(call.arguments, `${path}.arguments`),
      };
    }),
    // A newer gateway can have further reasons; the content is what arrived.
    finishReason: FINISH_REASONS.find((reason) => reason === completion.finishReason) ?? 'other',
  };
}

function readImages(body: unknown): ImagesResult {
  const images = list(object(body, 'body').images, 'images', (value, path) => {
    const image = object(value, path);
    return {
      bytes: Buffer.from(text(image.data, `${path}.data`), 'base64'),
      mediaType: oneOf(image.mediaType, `${path}.mediaType`, IMAGE_TYPES),
      revisedPrompt: nullable(image.revisedPrompt, `${path}.revisedPrompt`, text),
    };
  });
  if (images.length === 0) throw new UnexpectedShape('images', 'at least one image');
  return { ...readAnswer(body), images };
}

function readTranscript(body: unknown): TranscriptResult {
  return { ...readAnswer(body), text: textOrEmpty(object(body, 'body').text, 'text') };
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** The gateway ends within the time that it was given; its response needs a moment too. */
const GRACE_MS = 5_000;
const MIB = 1_048_576;
/** Of text. */
const MAX_RESPONSE_BYTES = 16 * MIB;
/** A picture of 64 MiB, the largest that the media library takes, as Base64. */
const MAX_IMAGE_BYTES = (64 * MIB * 4) / 3 + MIB;

type Body = Pick<OutboundRequest, 'body'> & { readonly contentType: string };

/** The AI routes of the gateway over HTTP. */
@Injectable()
export class HttpAiClient extends AiClient {
  constructor(private readonly connection: GatewayConnection) {
    super();
  }

  get isConfigured(): boolean {
    return this.connection.isConfigured;
  }

  complete(call: AiClientCall, request: CompletionRequest): Promise<AiResult<CompletionResult>> {
    return this.send(call, '/api/ai/completions', json(call, request), readCompletion);
  }

  drawImages(call: AiClientCall, request: ImageRequest): Promise<AiResult<ImagesResult>> {
    return this.send(
      call,
      '/api/ai/images',
      json(call, request),
      readImages,
      (request.count ?? 1) * MAX_IMAGE_BYTES,
    );
  }

  transcribe(call: AiClientCall, recording: Recording): Promise<AiResult<TranscriptResult>> {
    return this.send(call, '/api/ai/transcriptions', form(call, recording), readTranscript);
  }

  private send<T>(
    call: AiClientCall,
    path: string,
    { contentType, body }: Body,
    read: (body: unknown) => T,
    maxResponseBytes = MAX_RESPONSE_BYTES,
  ): Promise<AiResult<T>> {
    const { organizationId, userId, idempotencyKey, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = call;
    return this.connection.send<AiResult<T>>(
      {
        method: 'POST',
        path,
        organizationId,
        body,
        signal,
        headers: {
          'content-type': contentType,
          ...(userId !== undefined && { 'x-user-id': userId }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        timeoutMs: timeoutMs + GRACE_MS,
        maxResponseBytes,
        beforeBody: call.beforeResponse,
      },
      (response) => aiResultOf(response, read),
    );
  }
}

const json = ({ model, timeoutMs = DEFAULT_TIMEOUT_MS }: AiClientCall, request: object): Body => ({
  contentType: 'application/json',
  body: JSON.stringify({ ...request, model, timeoutMs }),
});

function form({ model, timeoutMs = DEFAULT_TIMEOUT_MS }: AiClientCall, recording: Recording): Body {
  const { bytes, language, prompt } = recording;
  const fields = Object.entries({ model, timeoutMs: String(timeoutMs), language, prompt });
  return multipartBody(
    Object.fromEntries(fields.filter((field): field is [string, string] => field[1] !== undefined)),
    {
      field: 'file',
      fileName: 'audio',
      contentType: 'application/octet-stream',
      length: bytes.length,
      // eslint-disable-next-line @typescript-eslint/require-await -- a source of one chunk
      open: async function* () {
        yield bytes;
      },
    },
  );
}
