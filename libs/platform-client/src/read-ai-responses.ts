import type { AiAnswer, AiAttempt, CompletionResult, ImagesResult, TranscriptResult } from './ai.types.js';
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
export function readCompletion(body: unknown): CompletionResult {
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

export function readImages(body: unknown): ImagesResult {
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

export function readTranscript(body: unknown): TranscriptResult {
  return { ...readAnswer(body), text: textOrEmpty(object(body, 'body').text, 'text') };
}
