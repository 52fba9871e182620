import { Injectable } from '@nestjs/common';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import type { PipelineDto } from '../dto/pipeline.dto.js';
import { ContactNotFound } from '../../contacts/index.js';
import { PipelineNotFound, StageNotFound } from '../domain/pipeline.errors.js';
import { detailsOfRow, PIPELINE_COLUMNS, type PipelineRow } from '../views/pipeline.view.js';
import { DefaultPipelines } from './pipelines.defaults.js';

const PIPELINE = statement(
  'find_pipeline',
  `SELECT ${PIPELINE_COLUMNS} FROM pipelines.pipeline_view p WHERE p.id = $1 AND NOT p.archived`,
);

const CONTACT = statement(
  'find_organization_of_contact',
  'SELECT organization_id FROM contacts.contact_summary WHERE id = $1 AND deleted_at IS NULL',
);

const STAGE = statement(
  'find_pipeline_of_stage',
  `SELECT p.id FROM pipelines.stage_view s JOIN pipelines.pipeline_view p ON p.id = s.pipeline_id
   WHERE s.id = $1 AND p.organization_id = $2 AND s.position IS NOT NULL AND NOT p.archived`,
);

/** Access checks of pipelines. Pipelines belong to an organization, never to a brand. */
@Injectable()
export class PipelinesAccess {
  constructor(
    private readonly database: Database,
    private readonly defaults: DefaultPipelines,
  ) {}

  /** @throws PipelineNotFound when unknown, archived or foreign; ScopeIsMissing */
  async pipeline(pipelineId: string, caller: Caller): Promise<PipelineDto> {
    const [row] = await this.database.query<PipelineRow>(PIPELINE, [pipelineId]);
    if (!row) throw new PipelineNotFound();
    const place = { organizationId: row.organizationId };
    caller.must('pipelines.read', place, () => new PipelineNotFound());
    return detailsOfRow(row);
  }

  /** The organization of a contact. @throws ContactNotFound when unknown, deleted or foreign; ScopeIsMissing */
  async organizationOfContact(contactId: string, caller: Caller, scope: Scope): Promise<string> {
    const [row] = await this.database.query<{ organization_id: string }>(CONTACT, [contactId]);
    if (!row) throw new ContactNotFound();
    caller.must(scope, { organizationId: row.organization_id }, () => new ContactNotFound());
    return row.organization_id;
  }

  /** The pipeline of a stage. Creates a missing default pipeline. */
  async pipelineOfStage(stageId: string, organizationId: string): Promise<string> {
    const find = () => this.database.query<{ id: string }>(STAGE, [stageId, organizationId]);
    let [pipeline] = await find();
    if (!pipeline && (await this.defaults.ensure([organizationId]))) [pipeline] = await find();
    if (!pipeline) throw new StageNotFound();
    return pipeline.id;
  }
}
