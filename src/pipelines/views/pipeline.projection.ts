import { statement } from '#libs/database';
import type { InlineView } from '#libs/event-store';
import type { Pipeline, PipelineState } from '../domain/pipeline.js';

/** Pipelines and their stages in one round trip. Stages are archived, never removed. */
const SAVE = statement(
  'save_pipeline_view',
  `WITH pipeline AS (
     INSERT INTO pipelines.pipeline_view
       (id, organization_id, name, is_default, archived, version, created_at, updated_at)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], $5::boolean[], $6::int[],
       $7::timestamptz[], $8::timestamptz[])
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, archived = excluded.archived,
       version = excluded.version, updated_at = excluded.updated_at)
   INSERT INTO pipelines.stage_view (id, pipeline_id, name, position)
   SELECT * FROM unnest($9::uuid[], $10::uuid[], $11::text[], $12::int[])
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, position = excluded.position`,
);

export const pipelineProjection: InlineView<PipelineState> = {
  name: 'pipelines',
  tables: ['pipelines.pipeline_view', 'pipelines.stage_view'],
  async save(executor, rows) {
    const known = rows.flatMap(({ state, version, at }) => (state ? [{ state, version, at }] : []));
    const pipelines = known.map(({ state }) => state);
    const stages = pipelines.flatMap(stagesOf);
    await executor.query(SAVE, [
      pipelines.map(({ id }) => id),
      pipelines.map(({ organizationId }) => organizationId),
      pipelines.map(({ name }) => name),
      pipelines.map(({ isDefault }) => isDefault),
      pipelines.map(({ archived }) => archived),
      known.map(({ version }) => version),
      pipelines.map(({ createdAt }) => createdAt),
      known.map(({ at }) => at),
      stages.map(({ id }) => id),
      stages.map(({ pipelineId }) => pipelineId),
      stages.map(({ name }) => name),
      stages.map(({ position }) => position),
    ]);
  },
};

function stagesOf({ id: pipelineId, stages, archivedStages }: Pipeline) {
  const onBoard = stages.map((stage, position) => ({ ...stage, pipelineId, position }));
  return [...onBoard, ...archivedStages.map((stage) => ({ ...stage, pipelineId, position: null }))];
}
