import type { Clock } from '#libs/clock';
import { DomainError, domainError } from '#libs/errors';
import type { HealthCheck } from './health-check.js';

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
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CheckTookTooLong()), CHECK_TIMEOUT_MS);
  });
  try {
    const data = await Promise.race([running, timeout]);
    return { name: check.name, status: 'up', data: { ...data, ...latency() } };
  } catch (error) {
    const data = { message: publicMessage(error), ...latency() };
    return { name: check.name, status: check.hard ? 'down' : 'degraded', data };
  } finally {
    clearTimeout(timer);
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
