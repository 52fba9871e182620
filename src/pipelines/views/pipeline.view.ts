import { PipelineNotFound } from '../domain/pipeline.errors.js';
import type { PipelineState, Stage } from '../domain/pipeline.js';

/** A pipeline as it is read. Instants: RFC 3339, UTC, milliseconds. */
export interface PipelineDetails {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly archived: boolean;
  /** In the order of the board. */
  readonly stages: readonly Stage[];
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A row of pipelines.pipeline_view with its stages, as pg reads it. */
export interface PipelineRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly archived: boolean;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly stages: readonly Stage[];
}

/** Of `pipelines.pipeline_view p`. */
export const PIPELINE_COLUMNS = `p.id, p.organization_id, p.name, p.is_default, p.archived, p.version, p.created_at, p.updated_at,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) ORDER BY s.position), '[]')
   FROM pipelines.stage_view s WHERE s.pipeline_id = p.id AND s.position IS NOT NULL) AS stages`;

export const detailsOfRow = (row: PipelineRow): PipelineDetails => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  isDefault: row.is_default,
  archived: row.archived,
  stages: row.stages,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

interface CurrentPipeline {
  readonly state: PipelineState;
  readonly version: number;
  readonly at: string;
}

/** Includes an archived pipeline, for the response to its archiving. @throws PipelineNotFound when there is none */
export function detailsOf({ state, version, at }: CurrentPipeline): PipelineDetails {
  if (state === null) throw new PipelineNotFound();
  const { id, organizationId, name, isDefault, archived, stages, createdAt } = state;
  return { id, organizationId, name, isDefault, archived, stages, version, createdAt, updatedAt: at };
}
