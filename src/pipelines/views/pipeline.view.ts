import { type RowOf, statement, viewOf } from '#libs/database';
import type { InlineView } from '#libs/event-store';
import type { PipelineDto } from '../dto/pipeline.dto.js';
import { PipelineNotFound } from '../domain/pipeline.errors.js';
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

/** Of `pipelines.pipeline_view p`. */
export const PIPELINE_COLUMNS = `p.id, p.organization_id AS "organizationId", p.name, p.is_default AS "isDefault", p.archived,
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'position', s.position) ORDER BY s.position), '[]')
   FROM pipelines.stage_view s WHERE s.pipeline_id = p.id AND s.position IS NOT NULL) AS stages,
  p.version, p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

/** Instants: RFC 3339, UTC, milliseconds. */
export type PipelineRow = RowOf<PipelineDto>;

export const detailsOfRow = (row: PipelineRow): PipelineDto => viewOf<PipelineDto>(row);

interface CurrentPipeline {
  readonly state: PipelineState;
  readonly version: number;
  readonly at: string;
}

/** Includes an archived pipeline, for the response to its archiving. @throws PipelineNotFound when there is none */
export function detailsOf({ state, version, at }: CurrentPipeline): PipelineDto {
  if (state === null) throw new PipelineNotFound();
  const { id, organizationId, name, isDefault, archived, createdAt } = state;
  const stages = state.stages.map((stage, position) => ({ id: stage.id, name: stage.name, position }));
  return { id, organizationId, name, isDefault, archived, stages, version, createdAt, updatedAt: at };
}
