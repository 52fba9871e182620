import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { BoundedQueue, type Origin, type WaitingLimits } from '#libs/concurrency';
import { domainError } from '#libs/errors';
import { IdentityConfig } from '../../identity.config.js';

/** The queue of sign-ins is full. */
export class TooManySignIns extends domainError('unavailable', 'too_many_sign_ins', {
  detail: 'Too many sign-ins are in progress. Try again in a moment.',
  retryAfterSeconds: 2,
}) {}

/** The queue of password hashes. */
export class HashQueue extends BoundedQueue {
  constructor(concurrency: number, maxWaiting: WaitingLimits) {
    super(concurrency, maxWaiting, () => new TooManySignIns());
  }
}

/** OWASP Password Storage Cheat Sheet, 2026: argon2id (the package's default) with at least 19 MiB, two passes, one lane. */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * At about 10 ms per hash, the last place waits a few seconds. One network takes at most a quarter of the places as a known
 * origin and a quarter as an unknown one. A quarter of all places is reserved for known origins.
 */
const MAX_WAITING = { total: 200, perOrigin: 50, unknownTotal: 150 };

export interface Verdict {
  readonly matches: boolean;
  /** The stored hash has a lower cost than `PASSWORD_COST`. Store a new one while the password is available. */
  readonly outdated: boolean;
}

@Injectable()
export class PasswordHasher {
  private readonly queue: HashQueue;
  /** Hash of a random password, so that an unknown account costs the same work. */
  private readonly dummyHash: Promise<string>;

  constructor(config: IdentityConfig) {
    this.queue = new HashQueue(config.concurrentHashes, MAX_WAITING);
    this.dummyHash = hash(randomBytes(32), PASSWORD_COST);
  }

  /**
   * @param origin the network as in `Actor`.
   * @returns a PHC string with salt and parameters. @throws TooManySignIns
   */
  hash(password: string, origin: Origin): Promise<string> {
    return this.queue.run(origin, () => hash(normalised(password), PASSWORD_COST));
  }

  /**
   * @param stored undefined for an unknown account: takes the same time and never matches.
   * @param origin as in `hash`. @throws TooManySignIns
   */
  async verify(password: string, stored: string | undefined, origin: Origin): Promise<Verdict> {
    const against = stored ?? (await this.dummyHash);
    const matches = await this.queue.run(origin, () => verify(against, normalised(password)));
    return { matches: matches && stored !== undefined, outdated: isCheaper(against) };
  }
}

/** Systems encode the same typed password differently (NIST SP 800-63B, 3.1.1.2). */
function normalised(password: string): string {
  return password.normalize('NFKC');
}

function isCheaper(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return (
    memoryCost < PASSWORD_COST.memoryCost ||
    timeCost < PASSWORD_COST.timeCost ||
    parallelism < PASSWORD_COST.parallelism
  );
}
