import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BoundedQueue } from '#libs/concurrency';
import { Database, type Executor } from '#libs/database';
import { domainError } from '#libs/errors';
import type { Actor } from '../../access/actor.js';
import { TooManySignIns } from '../passwords/password-hasher.js';
import { FamiliarNetworks, networksOf } from './familiar-networks.js';
import { delayAfter, LOGIN_POLICIES } from './login-delay.js';

/** The same for existing and unknown accounts. */
export class TooManyAttempts extends domainError('rate-limited', 'too_many_attempts', (seconds: number) => ({
  detail: `Too many attempts to sign in. Try again in ${seconds} s.`,
  retryAfterSeconds: seconds,
})) {}

/** The counters of an attempt. */
export interface LoginCounters {
  /** Deleted after a successful attempt. */
  readonly accountKeys: readonly string[];
  readonly addressKeys: readonly string[];
  /** The account has an earlier sign-in from this device or network. */
  readonly isKnown: boolean;
  /** Account and place for a known place, else the address. */
  readonly rateLimitKey: string;
}

export interface Attempt extends LoginCounters {
  /** Delay per counter if the attempt fails; times as PostgreSQL text, to the microsecond. */
  readonly blocks: readonly Block[];
}

/** The origin of an attempt, as in `Actor`. */
type LoginOrigin = Pick<Actor, 'network' | 'device'>;

interface Block {
  readonly key: string;
  readonly blocked_until: string;
}

interface Counter {
  readonly key: string;
  readonly failures: number;
  readonly wait_seconds: number;
}

/** Bounds the connections of a flood: no other limit applies before the lookup of known places. */
const LOOKUPS = 4;
/** A lookup takes a few milliseconds. */
const WAITING_LOOKUPS = { total: 800, perOrigin: 400, unknownTotal: 800 };

/** Time after the last failure until a counter restarts. */
const FAILURE_WINDOW = "interval '1 hour'";

/**
 * Only failures extend the window, so that a busy counter restarts too.
 * PostgreSQL 15 and 16 cannot subtract from -infinity.
 */
const RESERVE = `
  INSERT INTO identity.login_limit AS l (key, failures, blocked_until, last_failed_at)
  SELECT key, 1, '-infinity', clock_timestamp() FROM unnest($1::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET (failures, last_failed_at) = (
    SELECT CASE WHEN forgotten THEN 1 ELSE l.failures + 1 END,
           CASE WHEN forgotten THEN clock_timestamp() ELSE l.last_failed_at END
      FROM (VALUES (l.last_failed_at < clock_timestamp() - ${FAILURE_WINDOW})) AS v (forgotten))
  RETURNING key, failures, CASE WHEN blocked_until > clock_timestamp()
    THEN extract(epoch FROM blocked_until - clock_timestamp()) ELSE 0 END::float8 AS wait_seconds`;

const BLOCK = `
  UPDATE identity.login_limit SET blocked_until = clock_timestamp() + seconds * interval '1 second'
    FROM unnest($1::text[], $2::int[]) AS d (counter, seconds) WHERE key = counter
  RETURNING key, blocked_until::text`;

/** Locks in the order of `RESERVE`, which prevents deadlocks. */
const LOCKED =
  'locked AS (SELECT key FROM identity.login_limit WHERE key = ANY ($1) ORDER BY key FOR UPDATE)';

const FAIL = `
  WITH ${LOCKED}
  UPDATE identity.login_limit l SET last_failed_at = clock_timestamp() FROM locked WHERE l.key = locked.key`;

/** Keeps a block that a concurrent attempt has set. */
const UNCOUNT = `
  WITH ${LOCKED}
  UPDATE identity.login_limit l
     SET failures = failures - 1,
         blocked_until = CASE WHEN blocked_until = own THEN '-infinity' ELSE blocked_until END
    FROM locked JOIN unnest($1::text[], $2::timestamptz[]) AS b (counter, own) ON counter = locked.key
   WHERE l.key = locked.key AND failures > 0`;

const DELETE = `
  WITH ${LOCKED}
  DELETE FROM identity.login_limit l USING locked WHERE l.key = locked.key`;

/**
 * Counts in PostgreSQL, so that replicas share counters. `reserve` counts an attempt as failed before the password check, so
 * that concurrent guesses cannot use the same free attempt. A success or an incomplete check uncounts it.
 */
@Injectable()
export class LoginLimits {
  private readonly lookups = new BoundedQueue(LOOKUPS, WAITING_LOOKUPS, () => new TooManySignIns());

  constructor(
    private readonly database: Database,
    private readonly familiar: FamiliarNetworks,
  ) {}

  /**
   * A known device or network of the account has its own counter, so that other attempts cannot throttle it. The counters of
   * the account and of the address apply elsewhere only.
   */
  async countersOf(emailKey: string, { network, device }: LoginOrigin): Promise<LoginCounters> {
    const places = [network, ...(device ? [deviceKey(device)] : [])];
    const known = await this.lookups.run({ name: network }, () => this.familiar.findKnown(emailKey, places));
    return countersOf(emailKey, network, device, known);
  }

  /** @throws TooManyAttempts without counting the attempt. */
  async reserve(counted: LoginCounters): Promise<Attempt> {
    return this.database.separateTransaction(async (transaction) => {
      const keys = [...counted.accountKeys, ...counted.addressKeys];
      const counters = await transaction.query<Counter>(RESERVE, [keys]);
      const wait = Math.max(...counters.map(({ wait_seconds }) => wait_seconds));
      if (wait > 0) throw new TooManyAttempts(Math.ceil(wait));
      const delays = counters.map(({ key, failures }) => delayAfter(failures, policyOf(key)));
      const blocks = await transaction.query<Block>(BLOCK, [counters.map(({ key }) => key), delays]);
      return { ...counted, blocks };
    });
  }

  /** The password was wrong: the attempt stays counted. */
  async fail({ accountKeys, addressKeys }: Attempt): Promise<void> {
    await this.database.query(FAIL, [[...accountKeys, ...addressKeys]]);
  }

  /**
   * The password was right. An address keeps its earlier failures, because an attacker can have an account too. Blocks of
   * concurrent failures remain.
   */
  async succeed({ accountKeys, addressKeys, blocks }: Attempt): Promise<void> {
    await this.database.query(DELETE, [accountKeys]);
    await uncount(
      this.database,
      blocks.filter(({ key }) => addressKeys.includes(key)),
    );
  }

  /**
   * The password check did not complete: the attempt adds no delay, and earlier failures remain. A separate transaction, so
   * that a rollback of the caller does not revert it.
   */
  async cancel({ blocks }: Attempt): Promise<void> {
    await this.database.separateTransaction((transaction) => uncount(transaction, blocks));
  }
}

async function uncount(executor: Executor, blocks: readonly Block[]): Promise<void> {
  await executor.query(UNCOUNT, [
    blocks.map(({ key }) => key),
    blocks.map(({ blocked_until }) => blocked_until),
  ]);
}

/** A network already contains its prefix: `address:192.0.2.1`. */
function countersOf(
  emailKey: string,
  network: string,
  device: string | null,
  known: ReadonlySet<string>,
): LoginCounters {
  const account = digest(emailKey);
  const pair = `pair:${account}:${network}`;
  const ofKnown = (key: string) => ({
    accountKeys: [key],
    addressKeys: [],
    isKnown: true,
    rateLimitKey: key,
  });
  if (device && known.has(deviceKey(device))) return ofKnown(`pair:${account}:device:${digest(device)}`);
  if (known.has(network)) return ofKnown(pair);
  const addressKeys = networksOf(network);
  return { accountKeys: [`account:${account}`, pair], addressKeys, isKnown: false, rateLimitKey: network };
}

/** The key of a device among the known places of an account. */
export const deviceKey = (device: string): string => `device:${device}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

function policyOf(key: string) {
  return LOGIN_POLICIES[key.slice(0, key.indexOf(':')) as keyof typeof LOGIN_POLICIES];
}
