import type { Clock } from '#libs/clock';
import { within } from '#libs/concurrency';
import { DomainError, domainError } from '#libs/errors';

/** A check of one dependency of a service. */
export interface HealthCheck {
  /** camelCase, unique within the service; a key of `details` in the response. */
  readonly name: string;
  /** A failed hard check makes the service not ready and not healthy (503), a failed soft one `degraded` (200). */
  readonly hard: boolean;
  /** Listed in readiness too, without changing its status, so that operators see it during a rolling release. */
  readonly inReadiness?: boolean;
  /**
   * * Resolves if the dependency is healthy, with data for operators: counts and ages, never hosts or secrets.
   * Has one second. Runs again only after it has settled, so it needs its own timeout. @throws if it is not healthy
   */
  check(): Promise<Readonly<Record<string, unknown>> | void>;
}

export const CHECK_TIMEOUT_MS = 1_000;

export interface ProbeResult {
  readonly name: string;
  readonly status: 'up' | 'degraded' | 'down';
  readonly data: Readonly<Record<string, unknown>>;
}

type CheckResult = Awaited<ReturnType<HealthCheck['check']>>;

/** Waits at most a second for the check; never throws. */
export async function probe(
  check: HealthCheck,
  running: Promise<CheckResult>,
  clock: Clock,
): Promise<ProbeResult> {
  const startedAt = clock.monotonic();
  const latency = () => ({ latencyMs: Math.round((clock.monotonic() - startedAt) * 10) / 10 });
  try {
    const data = await within(CHECK_TIMEOUT_MS, running, () => {
      throw new CheckTookTooLong();
    });
    return { name: check.name, status: 'up', data: { ...data, ...latency() } };
  } catch (error) {
    const data = { message: publicMessage(error), ...latency() };
    return { name: check.name, status: check.hard ? 'down' : 'degraded', data };
  }
}

class CheckTookTooLong extends domainError(
  'unavailable',
  'check_took_too_long',
  `No answer within ${CHECK_TIMEOUT_MS} ms.`,
) {}

/** Only messages of domain errors are public; a driver's may name hosts and users. */
function publicMessage(error: unknown): string {
  return error instanceof DomainError ? error.message : 'The check failed.';
}
