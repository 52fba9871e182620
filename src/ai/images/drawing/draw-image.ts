import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  AiClient,
  type AiClientCall,
  type AiResult,
  type ImageRequest,
  type ImagesResult,
  isStillRunning,
} from '#libs/platform-client';
import { type GeneratedFile, StoreGeneratedFile } from '../../../media/index.js';
import type { ReserveMemory } from './image-limits.js';

/** Everything that a picture is drawn and stored by; JSON, so that another process can finish it. */
export interface ImageOrder extends Pick<GeneratedFile, 'brandId' | 'organizationId' | 'createdBy'> {
  /** The gateway compares a repeated call as a whole, its time limit included. */
  readonly call: Pick<AiClientCall, 'userId' | 'model' | 'timeoutMs'>;
  readonly image: Omit<ImageRequest, 'count'>;
}

export type GeneratedImage = Pick<ImagesResult, 'model' | 'requestedModel' | 'cost' | 'attempts'> & {
  readonly file: Parameters<GeneratedFile['alongside']>[1];
};

export type Alongside = (
  executor: Parameters<GeneratedFile['alongside']>[0],
  generated: GeneratedImage,
) => Promise<void>;

/** Between two questions whether an earlier call with the key has ended. */
const PAUSE_MS = 1_000;
const NAME_CHARACTERS = 60;

interface CallOptions {
  /** The same key draws and pays once within 24 hours. */
  readonly key?: string;
  /** Ends the call; without a key also that to the provider. */
  readonly signal?: AbortSignal;
  /** For the response of the gateway. */
  readonly reserve: ReserveMemory;
}

/** The two steps of a picture: the gateway draws it, the media library stores it. */
@Injectable()
export class DrawImage {
  constructor(
    private readonly ai: AiClient,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Waits for an earlier call with the same key that still runs at the gateway, such as that of a process that was killed.
   * @throws the reason of `signal`
   */
  async draw(
    { organizationId, call, image }: ImageOrder,
    { key: idempotencyKey, signal, reserve: beforeResponse }: CallOptions,
  ): Promise<AiResult<ImagesResult>> {
    const until = performance.now() + (call.timeoutMs ?? 0);
    for (;;) {
      const how = { organizationId, idempotencyKey, signal, beforeResponse };
      const result = await this.ai.drawImages({ ...call, ...how }, image);
      signal?.throwIfAborted();
      if (!isStillRunning(result) || performance.now() >= until) return result;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }

  /** @throws the errors of StoreGeneratedFile and of `alongside` */
  async store(
    { brandId, organizationId, createdBy, image: { prompt } }: ImageOrder,
    { id: requestId, model, requestedModel, cost, attempts, images: [drawn] }: ImagesResult,
    alongside: Alongside,
  ): Promise<GeneratedImage> {
    if (!drawn) throw new TypeError('A result has at least one image.');
    const { bytes, mediaType: contentType, revisedPrompt } = drawn;
    const answer = { model, requestedModel, cost, attempts };
    const withFile = (file: GeneratedImage['file']) => ({ file, ...answer });
    const file = await this.commands.execute(
      new StoreGeneratedFile({
        brandId,
        organizationId,
        createdBy,
        bytes,
        contentType,
        fileName: fileNameOf(prompt, contentType),
        generation: { prompt, revisedPrompt, ...answer, requestId },
        alongside: (executor, stored) => alongside(executor, withFile(stored)),
      }),
    );
    return withFile(file);
  }
}

/** The words that the library finds it by. */
function fileNameOf(prompt: string, contentType: string): string {
  const words = [...prompt.replaceAll(/[/\\.]+/g, ' ').trim()].slice(0, NAME_CHARACTERS).join('');
  return `${words.trim()}.${contentType.slice('image/'.length)}`;
}
