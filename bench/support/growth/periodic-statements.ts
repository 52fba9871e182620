import { ModulesContainer } from '@nestjs/core';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { Metrics, type RunningService } from '#libs/http';
import { BlocksRead, type ExplainedStatement, RUNS_BEFORE_GENERIC_PLAN } from '../blocks-read.js';
import { median } from '../measure.js';

/** Tables of which a loop of the worker asks several times a second whether there is something to do. */
const POLLED = [
  ...['posts.publication', 'media.file', 'media.rendition', 'media.waiting_bytes', 'ai.keyed_image'],
  'events.event',
];

/** What a service sends to PostgreSQL without a request: by its loops, all of its sweeps and the page of its metrics. */
export class PeriodicStatements {
  readonly sweeps: readonly PeriodicSweep[];
  private readonly statements: BlocksRead;

  /** @param service on a database with `explainStatements`. @param polled tables that its loops ask; of a worker unless given */
  constructor(
    private readonly service: RunningService,
    private readonly polled: readonly string[] = POLLED,
  ) {
    this.statements = new BlocksRead(service.app.get(Database));
    const modules = [...service.app.get(ModulesContainer).values()];
    const providers = modules.flatMap((module) => [...module.providers.values()]);
    const instances = providers.map(({ instance }) => instance);
    this.sweeps = [...new Set(instances.filter((instance) => instance instanceof PeriodicSweep))];
  }

  /** The blocks of each statement by its text, after enough runs for a generic plan: of a run in the middle, because a cursor makes some cheaper. */
  async blocks(): Promise<Map<string, number>> {
    const statements = await this.statements.during(async (soFar) => {
      let passes = 0;
      do {
        for (const sweep of this.sweeps) await sweep.tick();
        await this.service.app.get(Metrics).page();
        passes += 1;
      } while (passes <= RUNS_BEFORE_GENERIC_PLAN || !this.polled.every((table) => ranOften(soFar, table)));
    });
    const runs = Map.groupBy(statements, ({ text }) => text);
    return new Map([...runs].map(([text, all]) => [text, median(all.map(({ blocks }) => blocks))]));
  }
}

const ranOften = (statements: readonly ExplainedStatement[], table: string): boolean =>
  statements.filter(({ text }) => text.includes(table)).length > RUNS_BEFORE_GENERIC_PLAN;
