import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { DomainError } from '#libs/errors';
import { FamiliarNetworks } from './familiar-networks.js';
import { delayAfter, LOGIN_POLICIES } from './login-delay.js';

/** Said of accounts that exist and of ones that do not alike. */
export class TooManyAttempts extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_attempts';

  constructor(seconds: number) {
    super(`Too many attempts to sign in. Try again in ${seconds} s.`, { retryAfterSeconds: seconds });
  }
}

/** What an attempt counts against. */
export interface Attempt {
  /** Forgotten once it was right. */
  readonly ofAccount: readonly string[];
  readonly ofAddress: string;
}

interface Counter {
  readonly key: string;
  readonly failures: number;
  readonly wait_seconds: number;
}

/** Failures older than this are forgotten. */
const MEMORY = "interval '1 hour'";

const RESERVE = `
  INSERT INTO identity.login_limit AS l (key, failures, blocked_until, last_failed_at)
  SELECT key, 1, '-infinity', clock_timestamp() FROM unnest($1::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN l.last_failed_at < clock_timestamp() - ${MEMORY} THEN 1 ELSE l.failures + 1 END,
    last_failed_at = clock_timestamp()
  RETURNING key, failures, greatest(0, extract(epoch FROM blocked_until - clock_timestamp()))::float8 AS wait_seconds`;

/** Locks in the order of `RESERVE`, so that the two never wait for each other. */
const FORGET = `
  WITH locked AS (SELECT key FROM identity.login_limit WHERE key = ANY ($1) ORDER BY key FOR UPDATE)
  DELETE FROM identity.login_limit l USING locked WHERE l.key = locked.key`;

/**
 * Counts in PostgreSQL, so that replicas count together. Every attempt is counted as failed before the password is
 * looked at and taken back when it was right: a hundred guesses sent at once do not all see the same free attempt.
 */
@Injectable()
export class LoginLimits {
  constructor(
    private readonly database: Database,
    private readonly familiar: FamiliarNetworks,
  ) {}

  /**
   * The account's own counter is not for networks that are familiar to it: whoever keeps guessing from elsewhere would
   * keep its owner out, as each wait ends for the guesser too.
   * @param network as `Actor` has it.
   * @throws TooManyAttempts; an attempt that is refused does not count.
   */
  async reserve(emailKey: string, network: string): Promise<Attempt> {
    const isFamiliar = await this.familiar.has(emailKey, network);
    const attempt = attemptOf(emailKey, network, isFamiliar);
    await this.database.separateTransaction(async (transaction) => {
      const keys = [...attempt.ofAccount, attempt.ofAddress];
      const counters = await transaction.query<Counter>(RESERVE, [keys]);
      const wait = Math.max(...counters.map(({ wait_seconds }) => wait_seconds));
      if (wait > 0) throw new TooManyAttempts(Math.ceil(wait));
      const delays = counters.map(({ key, failures }) => delayAfter(failures, policyOf(key)));
      await transaction.query(
        `UPDATE identity.login_limit SET blocked_until = clock_timestamp() + seconds * interval '1 second'
           FROM unnest($1::text[], $2::int[]) AS d (counter, seconds) WHERE key = counter`,
        [counters.map(({ key }) => key), delays],
      );
    });
    return attempt;
  }

  /** The attempt was right. An address keeps its earlier failures: an attacker has an account too. */
  async release({ ofAccount, ofAddress }: Attempt): Promise<void> {
    await this.database.query(FORGET, [ofAccount]);
    await this.database.query(
      `UPDATE identity.login_limit SET failures = failures - 1,
              blocked_until = CASE WHEN failures - 1 <= $2 THEN '-infinity' ELSE blocked_until END
        WHERE key = $1 AND failures > 0`,
      [ofAddress, LOGIN_POLICIES.address.free],
    );
  }
}

/** Its network has its kind in front already: `address:192.0.2.1`. */
function attemptOf(emailKey: string, network: string, isFamiliar: boolean): Attempt {
  const who = createHash('sha256').update(emailKey).digest('base64url');
  const pair = `pair:${who}:${network}`;
  return { ofAccount: isFamiliar ? [pair] : [`account:${who}`, pair], ofAddress: network };
}

function policyOf(key: string) {
  return LOGIN_POLICIES[key.slice(0, key.indexOf(':')) as keyof typeof LOGIN_POLICIES];
}
