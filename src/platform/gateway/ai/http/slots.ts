import { Injectable } from '@nestjs/common';
import { AiCallsConfig } from '../ai-calls.config.js';
import { TooManyCallsWithFiles, TooManyStreams } from '../ai.errors.js';

/** Counts what runs in this process, so that its memory stays bounded. */
@Injectable()
export class Slots {
  private streams = 0;
  private callsWithFiles = 0;

  constructor(private readonly config: AiCallsConfig) {}

  get runningStreams(): number {
    return this.streams;
  }

  /** @returns frees the slot; more than one call has no effect @throws TooManyStreams */
  takeStream(): () => void {
    if (this.streams >= this.config.maxStreams) throw new TooManyStreams(this.config.maxStreams);
    this.streams += 1;
    return once(() => (this.streams -= 1));
  }

  /** @throws TooManyCallsWithFiles */
  async withFiles<T>(work: () => Promise<T>): Promise<T> {
    const { maxCallsWithFiles } = this.config;
    if (this.callsWithFiles >= maxCallsWithFiles) throw new TooManyCallsWithFiles(maxCallsWithFiles);
    this.callsWithFiles += 1;
    try {
      return await work();
    } finally {
      this.callsWithFiles -= 1;
    }
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
