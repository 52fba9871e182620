import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { emailKey } from '#libs/email-address';
import { isLimitReached } from '#libs/http';
import { type Actor, newDeviceId } from '../access/actor.js';
import { AuditLog } from '../audit/audit-log.js';
import { PasswordIsTooCommon, SignInIsNotValid } from '../identity.errors.js';
import type { Origin } from '#libs/concurrency';
import { FamiliarNetworks } from './limits/familiar-networks.js';
import {
  type Attempt,
  deviceKey,
  type LoginCounters,
  LoginLimits,
  TooManyAttempts,
} from './limits/login-limits.js';
import { SignInMetrics } from './limits/sign-in.metrics.js';
import { isCommonPassword } from './passwords/common-passwords.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { Sessions } from './sessions/sessions.js';
import { UserAccounts, type UserRow } from './user-accounts.js';

type RateLimitCheck = (counters: LoginCounters) => Promise<void>;

/** No other code verifies passwords, so that every guess counts. */
@Injectable()
export class SignIn {
  constructor(
    private readonly database: Database,
    private readonly accounts: UserAccounts,
    private readonly sessions: Sessions,
    private readonly passwords: PasswordHasher,
    private readonly limits: LoginLimits,
    private readonly familiar: FamiliarNetworks,
    private readonly audit: AuditLog,
    private readonly metrics: SignInMetrics,
  ) {}

  /**
   * An unknown address, a wrong password and a password that changes during the check cost the same work and give the same
   * response.
   * @param checkRateLimit throws to refuse an attempt
   * @throws SignInIsNotValid, TooManyAttempts, TooManySignIns, and the errors of `checkRateLimit`
   */
  async signIn(email: string, password: string, visitor: Actor, checkRateLimit: RateLimitCheck) {
    const key = emailKey(email);
    const user = await this.authenticate(key, password, visitor, checkRateLimit);
    const device = visitor.device ?? newDeviceId();
    return this.database.transaction(async (transaction) => {
      const tokens = await this.sessions.open(transaction, user, visitor);
      await this.familiar.add(transaction, user.id, key, [visitor.network, deviceKey(device)]);
      const actor: Actor = { ...visitor, type: 'user', id: user.id };
      await this.audit.record(transaction, {
        action: 'authn_login_success',
        actor,
        organizationId: null,
        subjectId: user.id,
      });
      return { user, tokens, device };
    });
  }

  /**
   * Ends every other session of the account. Of two concurrent changes the second one fails, because its current password is
   * wrong by then.
   */
  async changePassword(actor: Actor & { id: string }, current: string, next: string, accessToken: string) {
    const account = await this.accounts.findById(this.database, actor.id);
    if (!account) throw new SignInIsNotValid();
    if (isCommonPassword(next, account.email)) throw new PasswordIsTooCommon('#/newPassword');
    const key = emailKey(account.email);
    const user = await this.authenticate(key, current, actor);
    const passwordHash = await this.passwords.hash(next, { name: actor.network, isKnown: true });
    await this.database.transaction(async (transaction) => {
      const stored = await this.accounts.setPassword(transaction, user, passwordHash);
      if (!stored) throw new SignInIsNotValid();
      await this.sessions.endOthers(transaction, user.id, accessToken);
      await this.familiar.clear(transaction, user.id);
      await this.familiar.add(transaction, user.id, key, [actor.network]);
      await this.audit.record(transaction, {
        action: 'authn_password_change',
        actor,
        organizationId: null,
        subjectId: user.id,
      });
    });
  }

  private async authenticate(
    key: string,
    password: string,
    visitor: Actor,
    checkRateLimit?: RateLimitCheck,
  ): Promise<UserRow> {
    const attempt = await this.reserve(key, visitor, checkRateLimit).catch((error: unknown) => {
      const isThrottled = error instanceof TooManyAttempts || isLimitReached(error);
      this.metrics.count(isThrottled ? 'throttled' : 'unanswered');
      throw error;
    });
    const origin = { name: visitor.network, isKnown: attempt.isKnown };
    const { user, verdict } = await this.verify(key, password, origin).catch(async (error: unknown) => {
      this.metrics.count('unanswered');
      await this.limits.cancel(attempt);
      throw error;
    });
    if (!user || !verdict.matches || user.disabled_at) {
      this.metrics.count('failure');
      await this.limits.fail(attempt);
      await this.recordFailure(user, visitor);
      throw new SignInIsNotValid();
    }
    this.metrics.count('success');
    await this.limits.succeed(attempt);
    return verdict.outdated ? this.rehash(user, password, origin) : user;
  }

  private async reserve(key: string, visitor: Actor, checkRateLimit?: RateLimitCheck): Promise<Attempt> {
    const counters = await this.limits.countersOf(key, visitor);
    await checkRateLimit?.(counters);
    return this.limits.reserve(counters);
  }

  private async verify(key: string, password: string, origin: Origin) {
    const user = await this.accounts.findByEmail(this.database, key);
    return { user, verdict: await this.passwords.verify(password, user?.password_hash, origin) };
  }

  private async rehash(user: UserRow, password: string, origin: Origin): Promise<UserRow> {
    const password_hash = await this.passwords.hash(password, origin);
    if (await this.accounts.setPassword(this.database, user, password_hash))
      return { ...user, password_hash };
    // A concurrent sign-in stored a new hash, or the password has changed.
    const now = await this.accounts.findById(this.database, user.id);
    const verdict = await this.passwords.verify(password, now?.password_hash, origin);
    return now && verdict.matches ? now : user;
  }

  private recordFailure(user: UserRow | undefined, visitor: Actor): Promise<void> {
    return this.audit.record(this.database, {
      action: 'authn_login_fail',
      result: 'failure',
      actor: visitor,
      organizationId: null,
      ...(user ? { subjectId: user.id, target: { type: 'user', id: user.id } } : {}),
    });
  }
}
