import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { type EventMetadata, StreamHasMoved } from '#libs/event-store';
import { requestContext } from '#libs/http';
import { create, DEFAULT_STAGES } from '../domain/pipeline.js';
import { defaultPipelineIdOf, defaultStageIdOf } from './pipelines.ids.js';
import { Pipelines } from '../pipelines.stream.js';

const NAME = 'Sales pipeline';

const KNOWN = statement(
  'known_default_pipelines',
  'SELECT id FROM pipelines.pipeline_view WHERE id = ANY($1::uuid[])',
);

@Injectable()
export class DefaultPipelines {
  constructor(
    private readonly database: Database,
    private readonly pipelines: Pipelines,
  ) {}

  async ensure(organizationIds: readonly string[]): Promise<boolean> {
    const ids = organizationIds.map(defaultPipelineIdOf);
    const known = await this.database.query<{ id: string }>(KNOWN, [ids]);
    const missing = organizationIds.filter((_, index) => !known.some(({ id }) => id === ids[index]));
    for (const organizationId of missing) await this.createDefault(organizationId);
    return missing.length > 0;
  }

  /** A concurrent creation has the same id, because it derives from the organization. */
  private async createDefault(organizationId: string): Promise<void> {
    const id = defaultPipelineIdOf(organizationId);
    const stages = DEFAULT_STAGES.map((name) => ({ id: defaultStageIdOf(id, name), name }));
    const decide = () => create({ id, organizationId, name: NAME, isDefault: true, stages });
    try {
      await this.pipelines.create(id, decide, systemMetadata(organizationId));
    } catch (error) {
      if (!(error instanceof StreamHasMoved)) throw error;
    }
  }
}

/** The system is the actor, not the caller of the first request. */
function systemMetadata(organizationId: string): EventMetadata {
  const { requestId, correlationId } = requestContext();
  return {
    organizationId,
    brandId: null,
    actor: { type: 'system', id: 'pipelines' },
    channel: 'system',
    requestId,
    correlationId,
    causationId: null,
  };
}
