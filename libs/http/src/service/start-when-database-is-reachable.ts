import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, loadConfig } from '#libs/config';
import { DatabaseIsUnavailable, tryConnection } from '#libs/database';
import { bootstrapHttpService } from './bootstrap-http-service.js';
import { HttpConfig } from '../context/http.config.js';
import { logLine } from './log-line.js';
import type { RunningService } from './running-service.js';
import type { DescribedService } from './start-http-service.js';
import { WaitingService } from './waiting-service.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Starts a service when PostgreSQL accepts connections. Until then the process is live (`/healthz` 200), not ready (503) and
 * retries with backoff without a limit.
 * @param ending stops the waiting
 * @throws the signal's reason, ConfigIsInvalid, DatabaseIsNotSupported, MigrationsAreMissing, and the errors of `bootstrapHttpService`
 */
export async function startWhenDatabaseIsReachable(
  environment: Environment,
  describe: (environment: Environment) => DescribedService,
  ending: AbortSignal,
): Promise<RunningService> {
  const { module, database, ...options } = describe(environment);
  const waiting = new WaitingService(options, loadConfig(HttpConfig, environment).host);
  const beforeListening = () => waiting.close();
  const start = async () => {
    // One connection is faster and logs less than creating the whole service.
    await tryConnection(database);
    return bootstrapHttpService(module, { ...options, environment, beforeListening });
  };
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const outcome = await start().catch(rethrowUnlessOutage);
      if (!(outcome instanceof DatabaseIsUnavailable)) return outcome;
      const msg = `The database is not reachable; next try in ${pauseMs} ms`;
      logLine('warn', options.service, msg, outcome.cause);
      await waiting.open(outcome);
      await sleepUnlessAborted(ending, pauseMs);
    }
  } catch (error) {
    await waiting.close();
    throw error;
  }
}

function rethrowUnlessOutage(error: unknown): DatabaseIsUnavailable {
  if (error instanceof DatabaseIsUnavailable) return error;
  throw error;
}

/** @throws the reason of the signal */
async function sleepUnlessAborted(ending: AbortSignal, milliseconds: number): Promise<void> {
  await delay(milliseconds, undefined, { signal: ending }).catch(() => undefined);
  ending.throwIfAborted();
}
