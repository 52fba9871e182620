import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { IsInt, IsNumber, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class DeliveryPaceConfig {
  @Env('DELIVERY_CALLS', {
    description: 'Calls within one publish attempt, as long as each had provably no effect (1 to 10).',
    default: '3',
  })
  @IsInt()
  @Min(1)
  @Max(10)
  calls!: number;

  @Env('DELIVERY_WAIT_SCALE', {
    description:
      'Factor on every wait between such calls (0 to 10; below 1 only where the network is a stand-in).',
    default: '1',
  })
  @IsNumber()
  @Min(0)
  @Max(10)
  waitScale!: number;

  @Env('CONFIGURATION_HOLD_SECONDS', {
    description: 'How long the posts of a network wait after it refused this service itself (1 to 86400).',
    default: '900',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  configurationHoldSeconds!: number;
}

const FIRST_BACKOFF_MS = 250;

/** How often and how fast a call without effect is repeated. */
@Injectable()
export class DeliveryPace {
  constructor(private readonly config: DeliveryPaceConfig) {}

  get calls(): number {
    return this.config.calls;
  }

  get configurationHoldSeconds(): number {
    return this.config.configurationHoldSeconds;
  }

  /** Milliseconds after the n-th call: 250, 1000, 4000 … */
  backoff(call: number): number {
    return this.scaled(FIRST_BACKOFF_MS * 4 ** (call - 1));
  }

  scaled(milliseconds: number): number {
    return milliseconds * this.config.waitScale;
  }

  async wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds);
  }
}
