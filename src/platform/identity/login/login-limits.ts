import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BoundedQueue } from '#libs/concurrency';
import type { Executor } from '#libs/database';
import { Database } from '#libs/database';
import { DomainError } from '#libs/errors';
import type { Actor } from '../audit/actor.js';
import { TooManySignIns } from '../passwords/hash-queue.js';
import { FamiliarNetworks } from './familiar-networks.js';
import { delayAfter, LOGIN_POLICIES } from './login-delay.js';
import { networksOf } from './networks.js';

/** Said of accounts that exist and of ones that do not alike. */
export class TooManyAttempts extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_attempts';

  constructor(seconds: number) {
    super(`Too many attempts to sign in. Try again in ${seconds} s.`, { retryAfterSeconds: seconds });
  }
}

/** What an attempt counts against. */
export interface Counted {
  /** Forgotten once it was right. */
  readonly ofAccount: readonly string[];
  readonly ofAddress: readonly string[];
  /** It comes from a device or a network where the account was signed in to before. */
  readonly isKnown: boolean;
  /** Of what is known, account and device or network; else the address. */
  readonly whose: string;
}

export interface Attempt extends Counted {
  /** Until when each of its counters has others wait, should it fail; in PostgreSQL's own words, to the microsecond. */
  readonly blocks: readonly Block[];
}

/** Where an attempt comes from, as `Actor` has it. */
type Whence = Pick<Actor, 'network' | 'device'>;

interface Block {
  readonly key: string;
  readonly blocked_until: string;
}

interface Counter {
  readonly key: string;
  readonly failures: number;
  readonly wait_seconds: number;
}

/** No limit holds before the look-up of what the account knows: a flood of attempts takes no more connections than these. */
const LOOKUPS = 4;
/** Each waits for some milliseconds. */
const WAITING_LOOKUPS = { total: 800, perOrigin: 400, unknownTotal: 800 };

/** Failures older than this are forgotten. */
const MEMORY = "interval '1 hour'";

/**
 * Only failures move the hour on: of a counter that is used all the time too, they are forgotten when none follow.
 * PostgreSQL 15 and 16 cannot subtract from -infinity.
 */
const RESERVE = `
  INSERT INTO identity.login_limit AS l (key, failures, blocked_until, last_failed_at)
  SELECT key, 1, '-infinity', clock_timestamp() FROM unnest($1::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET (failures, last_failed_at) = (
    SELECT CASE WHEN forgotten THEN 1 ELSE l.failures + 1 END,
           CASE WHEN forgotten THEN clock_timestamp() ELSE l.last_failed_at END
      FROM (VALUES (l.last_failed_at < clock_timestamp() - ${MEMORY})) AS v (forgotten))
  RETURNING key, failures, CASE WHEN blocked_until > clock_timestamp()
    THEN extract(epoch FROM blocked_until - clock_timestamp()) ELSE 0 END::float8 AS wait_seconds`;

const BLOCK = `
  UPDATE identity.login_limit SET blocked_until = clock_timestamp() + seconds * interval '1 second'
    FROM unnest($1::text[], $2::int[]) AS d (counter, seconds) WHERE key = counter
  RETURNING key, blocked_until::text`;

/** In the order of `RESERVE`, so that none of them ever waits for the other. */
const LOCKED =
  'locked AS (SELECT key FROM identity.login_limit WHERE key = ANY ($1) ORDER BY key FOR UPDATE)';

const FAIL = `
  WITH ${LOCKED}
  UPDATE identity.login_limit l SET last_failed_at = clock_timestamp() FROM locked WHERE l.key = locked.key`;

/** A block that another attempt has set meanwhile stays. */
const TAKE_BACK = `
  WITH ${LOCKED}
  UPDATE identity.login_limit l
     SET failures = failures - 1,
         blocked_until = CASE WHEN blocked_until = own THEN '-infinity' ELSE blocked_until END
    FROM locked JOIN unnest($1::text[], $2::timestamptz[]) AS b (counter, own) ON counter = locked.key
   WHERE l.key = locked.key AND failures > 0`;

const FORGET = `
  WITH ${LOCKED}
  DELETE FROM identity.login_limit l USING locked WHERE l.key = locked.key`;

/**
 * Counts in PostgreSQL, so that replicas count together. Every attempt is counted as failed before the password is
 * looked at, and taken back when it was right or could not be looked at: a hundred guesses sent at once do not all see
 * the same free attempt.
 */
@Injectable()
export class LoginLimits {
  private readonly lookups = new BoundedQueue(LOOKUPS, WAITING_LOOKUPS, () => new TooManySignIns());

  constructor(
    private readonly database: Database,
    private readonly familiar: FamiliarNetworks,
  ) {}

  /**
   * What others do keeps nobody out on a device or in a network that the account knows: a device has a counter of its own, a
   * network one for this account. Only elsewhere the counters of the account and of the address hold too.
   * @throws TooManySignIns
   */
  async countersOf(emailKey: string, { network, device }: Whence): Promise<Counted> {
    const places = [network, ...(device ? [deviceNamed(device)] : [])];
    const known = await this.lookups.run({ name: network }, () => this.familiar.known(emailKey, places));
    return countersOf(emailKey, network, device, known);
  }

  /** @throws TooManyAttempts; an attempt that is refused does not count. */
  async reserve(counted: Counted): Promise<Attempt> {
    return this.database.separateTransaction(async (transaction) => {
      const keys = [...counted.ofAccount, ...counted.ofAddress];
      const counters = await transaction.query<Counter>(RESERVE, [keys]);
      const wait = Math.max(...counters.map(({ wait_seconds }) => wait_seconds));
      if (wait > 0) throw new TooManyAttempts(Math.ceil(wait));
      const delays = counters.map(({ key, failures }) => delayAfter(failures, policyOf(key)));
      const blocks = await transaction.query<Block>(BLOCK, [counters.map(({ key }) => key), delays]);
      return { ...counted, blocks };
    });
  }

  /** The attempt was wrong, and stays counted. */
  async fail({ ofAccount, ofAddress }: Attempt): Promise<void> {
    await this.database.query(FAIL, [[...ofAccount, ...ofAddress]]);
  }

  /**
   * The attempt was right. An address keeps its earlier failures: an attacker has an account too. It waits no longer for
   * this attempt, but for those that failed meanwhile.
   */
  async release({ ofAccount, ofAddress, blocks }: Attempt): Promise<void> {
    await this.database.query(FORGET, [ofAccount]);
    await takeBack(
      this.database,
      blocks.filter(({ key }) => ofAddress.includes(key)),
    );
  }

  /**
   * The attempt was neither: no password was looked at. Who is told to come back soon does not wait for it, and the
   * account keeps its earlier failures. Stays when the caller's own transaction fails for the same reason.
   */
  async undo({ blocks }: Attempt): Promise<void> {
    await this.database.separateTransaction((transaction) => takeBack(transaction, blocks));
  }
}

async function takeBack(executor: Executor, blocks: readonly Block[]): Promise<void> {
  await executor.query(TAKE_BACK, [
    blocks.map(({ key }) => key),
    blocks.map(({ blocked_until }) => blocked_until),
  ]);
}

/** Networks have their kind in front already: `address:192.0.2.1`. */
function countersOf(
  emailKey: string,
  network: string,
  device: string | null,
  known: ReadonlySet<string>,
): Counted {
  const who = digest(emailKey);
  const pair = `pair:${who}:${network}`;
  const ofKnown = (whose: string) => ({ ofAccount: [whose], ofAddress: [], isKnown: true, whose });
  if (device && known.has(deviceNamed(device))) return ofKnown(`pair:${who}:device:${digest(device)}`);
  if (known.has(network)) return ofKnown(pair);
  const ofAddress = networksOf(network);
  return { ofAccount: [`account:${who}`, pair], ofAddress, isKnown: false, whose: network };
}

/** How a device is named among the places where an account was signed in to. */
export const deviceNamed = (device: string): string => `device:${device}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

function policyOf(key: string) {
  return LOGIN_POLICIES[key.slice(0, key.indexOf(':')) as keyof typeof LOGIN_POLICIES];
}
