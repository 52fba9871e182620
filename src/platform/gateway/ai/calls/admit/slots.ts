import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { FairPlaces } from '#libs/concurrency';
import { AiCallsConfig } from '../../ai-calls.config.js';
import { TooManyBytes, TooManyCalls, TooManyStreams } from '../../ai.errors.js';

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

  /** For a completion, streamed or whole. @throws TooManyStreams, TooManyCalls */
  completion(organizationId: string, isStream: boolean): Disposable {
    const { maxCompletions: most } = this.config;
    return held(this.completions.take(organizationId), () =>
      isStream ? new TooManyStreams(most) : new TooManyCalls(most, 'completions'),
    );
  }

  /** @throws TooManyCalls */
  files(organizationId: string): Disposable {
    const { maxCallsWithFiles: most } = this.config;
    return held(
      this.callsWithFiles.take(organizationId),
      () => new TooManyCalls(most, 'images and transcriptions'),
    );
  }

  /** For the bytes of a body, from before it is read until its call has ended. @throws TooManyBytes */
  bodyBytes(organizationId: string, bytes: number): Disposable {
    const { maxBytes: most } = this.config;
    return held(this.bytes.take(organizationId, bytes), () => new TooManyBytes(most, 'requests'));
  }

  /** For the most bytes of images that a response can have, from before a provider is asked. @throws TooManyBytes */
  bytesOfImages(organizationId: string, bytes: number): Disposable {
    const { maxImageBytes: most } = this.config;
    return held(this.imageBytes.take(organizationId, bytes), () => new TooManyBytes(most, 'images'));
  }
}

function held(free: (() => void) | null, refusal: () => Error): Disposable {
  if (!free) throw refusal();
  return { [Symbol.dispose]: free };
}
