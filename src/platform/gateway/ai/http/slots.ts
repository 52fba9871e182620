import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { FairPlaces } from '#libs/concurrency';
import { AiCallsConfig } from '../ai-calls.config.js';
import { TooManyBytes, TooManyCalls, TooManyStreams } from '../ai.errors.js';

/** Counts what runs in this process, so that its memory stays bounded, and shares it fairly among organizations. */
@Injectable()
export class Slots {
  private readonly completions: FairPlaces;
  private readonly callsWithFiles: FairPlaces;
  private readonly bytes: FairPlaces;
  private readonly imageBytes: FairPlaces;

  constructor(
    private readonly config: AiCallsConfig,
    clock: Clock,
  ) {
    const places = (count: number) => new FairPlaces(count, config.organizationShare / 100, clock);
    this.completions = places(config.maxCompletions);
    this.callsWithFiles = places(config.maxCallsWithFiles);
    this.bytes = places(config.maxBytes);
    this.imageBytes = places(config.maxImageBytes);
  }

  /** @returns frees the slot; more than one call has no effect @throws TooManyStreams */
  takeStream(organizationId: string): () => void {
    const free = this.completions.take(organizationId);
    if (!free) throw new TooManyStreams(this.config.maxCompletions);
    return free;
  }

  /** For a completion that is no stream, of the same places. @throws TooManyCalls */
  withCompletion<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const { maxCompletions } = this.config;
    const refusal = () => new TooManyCalls(maxCompletions, 'completions');
    return this.withPlace(this.completions.take(organizationId), refusal, work);
  }

  /** @throws TooManyCalls */
  withFiles<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const { maxCallsWithFiles } = this.config;
    const refusal = () => new TooManyCalls(maxCallsWithFiles, 'images and transcriptions');
    return this.withPlace(this.callsWithFiles.take(organizationId), refusal, work);
  }

  private async withPlace<T>(
    free: (() => void) | null,
    refusal: () => TooManyCalls,
    work: () => Promise<T>,
  ): Promise<T> {
    if (!free) throw refusal();
    try {
      return await work();
    } finally {
      free();
    }
  }

  /** For the bytes of a body, from before it is read until its call has ended. @throws TooManyBytes */
  takeBytes(organizationId: string, bytes: number): () => void {
    const free = this.bytes.take(organizationId, bytes);
    if (!free) throw new TooManyBytes(this.config.maxBytes, 'requests');
    return free;
  }

  /** For the most bytes of images that a response can have, from before a provider is asked. @throws TooManyBytes */
  takeImageBytes(organizationId: string, bytes: number): () => void {
    const free = this.imageBytes.take(organizationId, bytes);
    if (!free) throw new TooManyBytes(this.config.maxImageBytes, 'images');
    return free;
  }
}
