import { Injectable, Logger } from '@nestjs/common';
import { Database, type Executor, longRunning, statement } from '#libs/database';
import { Leases } from '#libs/due-work';
import { domainError } from '#libs/errors';
import { Catalog } from '../catalog/catalog.js';
import type { SourceResultDto } from './source-result.dto.js';
import { type CatalogSource, CatalogSources, type SourceOutcome } from './catalog-sources.js';

/** Another replica, or another request to this one, is reading the sources. */
export class ModelSyncIsRunning extends domainError(
  'conflict',
  'model_sync_running',
  'The sources are being read. Look at GET /api/models/governance for the result.',
) {}

const LEASE = 'gateway:model-sync';
/** Longer than the time limits of all sources together, which are read at once. */
const LEASE_MS = 5 * 60_000;

/** Of one source: far more than any has. Each is kept as a row, and looked up by rules of names without a pause. */
export const MAX_MODELS = 10_000;

/** $1 source, $2 outcome, $3 detail, $4 models, $5 rejected */
const STORE_OUTCOME = statement(
  'gateway_store_source_outcome',
  `INSERT INTO gateway.catalog_source AS s (name, attempted_at, succeeded_at, outcome, detail, models, rejected, failures)
   VALUES ($1, now(), CASE WHEN $2 = 'done' THEN now() END, $2, $3, $4, $5, CASE WHEN $2 = 'failed' THEN 1 ELSE 0 END)
   ON CONFLICT (name) DO UPDATE SET
     attempted_at = now(), outcome = $2, detail = $3,
     succeeded_at = CASE WHEN $2 = 'done' THEN now() ELSE s.succeeded_at END,
     models = CASE WHEN $2 = 'done' THEN $4 ELSE s.models END,
     rejected = CASE WHEN $2 = 'done' THEN $5 ELSE s.rejected END,
     failures = CASE WHEN $2 = 'failed' THEN s.failures + 1 ELSE 0 END`,
);

/** Reads all sources of the catalog. Each is stored in a transaction of its own: a failing one leaves the others' results. */
@Injectable()
export class ModelSync {
  private readonly logger = new Logger(ModelSync.name);

  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly catalog: Catalog,
    private readonly sources: CatalogSources,
  ) {}

  /** One at a time over all replicas. @throws ModelSyncIsRunning */
  async run(): Promise<readonly SourceResultDto[]> {
    const readAll = () => longRunning(() => this.readAll());
    const results = await this.leases.whileHeld(this.database, LEASE, LEASE_MS, readAll);
    if (!results) throw new ModelSyncIsRunning();
    return results;
  }

  private async readAll(): Promise<readonly SourceResultDto[]> {
    const outcomes = await Promise.all(
      this.sources.all.map(async (source) => ({ source, outcome: await this.read(source) })),
    );
    const results: SourceResultDto[] = [];
    for (const { source, outcome } of outcomes) results.push(await this.store(source, outcome));
    return results;
  }

  private async read(source: CatalogSource): Promise<SourceOutcome> {
    try {
      return bounded(await source.read());
    } catch (error) {
      this.logger.error(error, `The source ${source.name} of the model catalog could not be read.`);
      return { kind: 'failed', detail: 'It could not be read. The log has the reason.' };
    }
  }

  private async store({ name }: CatalogSource, outcome: SourceOutcome): Promise<SourceResultDto> {
    try {
      return await this.database.transaction(async (transaction) => {
        if (outcome.kind === 'read')
          await this.catalog.record(transaction, name, outcome.providers, outcome.reading.entries);
        return this.storeOutcome(transaction, resultOf(name, outcome));
      });
    } catch (error) {
      this.logger.error(error, `The reading of ${name} could not be stored.`);
      const detail = 'The reading could not be stored. The log has the reason.';
      return this.storeOutcome(this.database, resultOf(name, { kind: 'failed', detail }));
    }
  }

  private async storeOutcome(executor: Executor, result: SourceResultDto): Promise<SourceResultDto> {
    const { source, outcome, detail, models, rejected } = result;
    await executor.query(STORE_OUTCOME, [source, outcome, detail, models, rejected]);
    if (outcome === 'failed') this.logger.warn({ source, detail }, 'A source of the model catalog failed.');
    return result;
  }
}

const bounded = (outcome: SourceOutcome): SourceOutcome =>
  outcome.kind === 'read' && outcome.reading.entries.length > MAX_MODELS
    ? { kind: 'failed', detail: `It has more than ${MAX_MODELS} models.` }
    : outcome;

function resultOf(source: string, outcome: SourceOutcome): SourceResultDto {
  if (outcome.kind !== 'read')
    return { source, outcome: outcome.kind, detail: outcome.detail, models: 0, rejected: 0 };
  const { entries, rejected, reasons } = outcome.reading;
  const models = entries.filter(({ capabilities }) => capabilities !== null).length;
  const detail = rejected > 0 ? `${rejected} malformed models were left out: ${reasons.join('; ')}.` : null;
  return { source, outcome: 'done', detail, models, rejected };
}
