import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DomainError } from '#libs/errors';
import { Metrics } from '#libs/http';
import {
  ImageGatewayIsBusy,
  ImageIsLimited,
  ImageLimitIsReached,
  TooManyImagesAtOnce,
} from '../image.errors.js';
import { KeyedImagesStore } from '../keyed-images.store.js';

const OUTCOMES = ['stored', 'limited', 'provider_limited', 'refused', 'failed', 'left', 'recovered'] as const;
type Outcome = (typeof OUTCOMES)[number];

@Injectable()
export class ImageMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor(metrics: Metrics, store: KeyedImagesStore) {
    const { registry } = metrics;
    this.outcomes = new Counter({
      name: 'ai_image_outcomes_total',
      help: 'Requests for pictures: stored, over a limit of this service, over a limit of providers or spend, refused as a request, failed, left by the client, or recovered: stored after the request had ended.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of OUTCOMES) this.outcomes.inc({ outcome }, 0);
    this.seconds = new Histogram({
      name: 'ai_image_duration_seconds',
      help: 'Time from a request for a picture to its stored file.',
      buckets: [0.5, 1, 2.5, 5, 10, 20, 40, 80, 160],
      registers: [registry],
    });
    this.collectUnfinished(metrics, store);
  }

  private collectUnfinished(metrics: Metrics, store: KeyedImagesStore): void {
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [metrics.registry] });
    const count = gauge('ai_images_unfinished', 'Pictures with an Idempotency-Key that are not stored yet.');
    const age = gauge('ai_images_unfinished_oldest_seconds', 'Age of the oldest of them.');
    metrics.collect('ai_images_unfinished', [count, age], async () => {
      const unfinished = await store.unfinished();
      count.set(unfinished.count);
      age.set(unfinished.age);
    });
  }

  /** A picture was stored whose request had ended. */
  recovered(): void {
    this.outcomes.inc({ outcome: 'recovered' });
  }

  /** @param signal aborted when the client has left */
  async counting<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const observe = this.seconds.startTimer();
    try {
      const result = await work();
      this.outcomes.inc({ outcome: 'stored' });
      observe();
      return result;
    } catch (error) {
      this.outcomes.inc({ outcome: signal?.aborted ? 'left' : outcomeOf(error) });
      throw error;
    }
  }
}

/** Of kinds that the caller can change. */
const REFUSALS = ['invalid', 'forbidden', 'not-found', 'unprocessable', 'conflict', 'too-large'];

/** Of this installation; no provider was asked. */
const OWN_LIMITS = [ImageLimitIsReached, TooManyImagesAtOnce, ImageGatewayIsBusy];

function outcomeOf(error: unknown): Outcome {
  if (OWN_LIMITS.some((limit) => error instanceof limit)) return 'limited';
  if (error instanceof ImageIsLimited) return 'provider_limited';
  return error instanceof DomainError && REFUSALS.includes(error.kind) ? 'refused' : 'failed';
}
