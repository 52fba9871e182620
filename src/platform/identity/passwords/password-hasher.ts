import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.js';
import type { Origin } from '#libs/concurrency';
import { HashQueue } from './hash-queue.js';

/** OWASP Password Storage Cheat Sheet, 2026: argon2id (the package's default) with at least 19 MiB, two passes, one lane. */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * At about 10 ms each, the last in line waits for some seconds. One network takes a quarter of the places at most for
 * accounts that know it or its devices, and another quarter for accounts that do not. A quarter of all places is reserved
 * for devices and networks that the account knows.
 */
const MAX_WAITING = { total: 200, perOrigin: 50, unknownTotal: 150 };

export interface Verdict {
  readonly matches: boolean;
  /** The stored hash is cheaper than today's; store a new one while the password is at hand. */
  readonly outdated: boolean;
}

@Injectable()
export class PasswordHasher {
  private readonly queue: HashQueue;
  /** Of a password nobody has, so that an unknown account costs what a known one does. */
  private readonly dummyHash: Promise<string>;

  constructor(config: IdentityConfig) {
    this.queue = new HashQueue(config.concurrentHashes, MAX_WAITING);
    this.dummyHash = hash(randomBytes(32), PASSWORD_COST);
  }

  /**
   * As a PHC string with its own salt and parameters.
   * @param origin who waits in line for it: the network, as `Actor` has it. @throws TooManySignIns
   */
  hash(password: string, origin: Origin): Promise<string> {
    return this.queue.run(origin, () => hash(normalised(password), PASSWORD_COST));
  }

  /**
   * @param stored undefined when there is no such account: takes as long, never matches.
   * @param origin as of `hash`. @throws TooManySignIns
   */
  async verify(password: string, stored: string | undefined, origin: Origin): Promise<Verdict> {
    const against = stored ?? (await this.dummyHash);
    const matches = await this.queue.run(origin, () => verify(against, normalised(password)));
    return { matches: matches && stored !== undefined, outdated: isCheaper(against) };
  }
}

/** The same password typed on another keyboard or system is the same password (NIST SP 800-63B, 3.1.1.2). */
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
