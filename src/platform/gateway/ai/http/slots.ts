import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { AiCallsConfig } from '../ai-calls.config.js';
import { TooManyBytes, TooManyCallsWithFiles, TooManyStreams } from '../ai.errors.js';
import { FairPlaces } from '../../fair-places.js';

/** Counts what runs in this process, so that its memory stays bounded, and shares it fairly among organizations. */
@Injectable()
export class Slots {
  private readonly streams: FairPlaces;
  private readonly callsWithFiles: FairPlaces;
  private readonly bytes: FairPlaces;

  constructor(
    private readonly config: AiCallsConfig,
    clock: Clock,
  ) {
    const places = (count: number) => new FairPlaces(count, config.organizationShare / 100, clock);
    this.streams = places(config.maxStreams);
    this.callsWithFiles = places(config.maxCallsWithFiles);
    this.bytes = places(config.maxBytes);
  }

  /** @returns frees the slot; more than one call has no effect @throws TooManyStreams */
  takeStream(organizationId: string): () => void {
    const free = this.streams.take(organizationId);
    if (!free) throw new TooManyStreams(this.config.maxStreams);
    return free;
  }

  /** @throws TooManyCallsWithFiles */
  async withFiles<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const free = this.callsWithFiles.take(organizationId);
    if (!free) throw new TooManyCallsWithFiles(this.config.maxCallsWithFiles);
    try {
      return await work();
    } finally {
      free();
    }
  }

  /** For the bytes of a large body, from before it is read until its call has ended. @throws TooManyBytes */
  takeBytes(organizationId: string, bytes: number): () => void {
    const free = this.bytes.take(organizationId, bytes);
    if (!free) throw new TooManyBytes(this.config.maxBytes);
    return free;
  }
}
