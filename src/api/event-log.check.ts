import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/database';
import { domainError } from '#libs/errors';
import { Reactions } from '#libs/event-store';
import { CHECK_TIMEOUT_MS, type HealthCheck, HealthChecks } from '#libs/health';

/** A reaction stopped at an event that it cannot process and needs a new release. */
class ReactionsHaveStopped extends domainError(
  'unavailable',
  'reactions_stopped',
  (names: readonly string[]) =>
    `These reactions stopped at an event that they cannot process: ${names.join(', ')}. See the log of the worker, then fix the release.`,
) {}

/** Whether every reaction processes the log. Soft: audit and rollups fall behind, but posts are published. */
@Injectable()
export class EventLogCheck implements HealthCheck, OnModuleInit {
  readonly name = 'eventLog';
  readonly hard = false;
  readonly inReadiness = true;

  constructor(
    private readonly database: Database,
    private readonly reactions: Reactions,
    private readonly checks: HealthChecks,
  ) {}

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(): Promise<Record<string, unknown>> {
    const reactions = await this.reactions.status(this.database.within(CHECK_TIMEOUT_MS));
    const stopped = reactions.filter(({ state }) => state === 'stopped').map(({ name }) => name);
    if (stopped.length > 0) throw new ReactionsHaveStopped(stopped);
    const waiting = reactions.filter(({ unreadable }) => unreadable !== undefined).map(({ name }) => name);
    const lagEvents = Math.max(0, ...reactions.map((reaction) => reaction.lagEvents));
    return { lagEvents, ...(waiting.length > 0 && { waitForNewerRelease: waiting }) };
  }
}
