import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { type CountedRows, RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import { TemplateNotFound } from '../email.errors.js';
import { finding, isHeaderText, NOT_ONE_LINE } from '../shared/addresses.js';
import { findingsIn } from './render.js';
import type { SaveTemplateDto, TemplateDto } from './template.dto.js';

const COLUMNS = `id, CASE WHEN organization_id IS NULL THEN 'platform' ELSE 'organization' END AS owner, name, version, subject, text,
  html, variables, created_at AS "createdAt"`;
/** The organization's own before the platform's of the same name. $1 organization, $2 name, $3 version or null */
const FIND = statement(
  'gateway_find_email_template',
  `SELECT ${COLUMNS} FROM gateway.email_template
    WHERE (organization_id = $1 OR organization_id IS NULL) AND name = $2 AND ($3::int IS NULL OR version = $3)
      AND (organization_id = $1 OR NOT EXISTS (
        SELECT 1 FROM gateway.email_template own WHERE own.organization_id = $1 AND own.name = $2))
    ORDER BY version DESC LIMIT 1`,
);
/** A page ends after so many bytes of texts: a hundred templates could have 80 MB, of which a process makes several copies. */
const PAGE_BYTES = 4_000_000;
/** The newest version of each, and how many there are from here on. $1 organization, $2 after, $3 count */
const LIST = statement(
  'gateway_list_email_templates',
  `SELECT id, owner, name, version, subject, text, html, variables, "createdAt", rest FROM (
     SELECT newest.*, count(*) OVER ()::int AS rest,
       sum(octet_length(text) + coalesce(octet_length(html), 0))
         OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
     FROM (
       SELECT DISTINCT ON (organization_id, name) ${COLUMNS} FROM gateway.email_template
        WHERE organization_id = $1 OR organization_id IS NULL
        ORDER BY organization_id, name, version DESC) newest
      WHERE $2::uuid IS NULL OR id > $2) sized
    WHERE before IS NULL OR before < ${PAGE_BYTES} ORDER BY id LIMIT $3`,
);
/** Serializes versions of one template. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('gateway.email_template ' || $1, 0))`;
const INSERT = statement(
  'gateway_insert_email_template',
  `INSERT INTO gateway.email_template (id, organization_id, name, version, subject, text, html, variables, created_by)
   SELECT $1, $2::uuid, $3, coalesce(max(version), 0) + 1, $4, $5, $6, $7::jsonb, $8::uuid FROM gateway.email_template
    WHERE organization_id IS NOT DISTINCT FROM $2 AND name = $3
   RETURNING ${COLUMNS}`,
);

/** Templates. A version never changes; a change adds one. */
@Injectable()
export class TemplatesStore {
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
  ) {}

  /** @param version the newest without one */
  async find(organizationId: string, name: string, version?: number): Promise<TemplateDto> {
    const [row] = await this.database.query<TemplateDto>(FIND, [organizationId, name, version ?? null]);
    if (!row) throw new TemplateNotFound();
    return row;
  }

  async list(organizationId: string, after: string | null, count: number): Promise<CountedRows<TemplateDto>> {
    const values = [organizationId, after, count];
    const rows = await this.database.query<TemplateDto & { readonly rest: number }>(LIST, values);
    const hasMore = rows.length < (rows[0]?.rest ?? 0);
    return { rows: rows.map(({ rest: _, ...template }) => template), hasMore };
  }

  /** @param organizationId null: of the platform. @throws RequestIsNotValid with all findings */
  save(organizationId: string | null, actor: AuditActor, body: SaveTemplateDto): Promise<TemplateDto> {
    assertValid(body);
    const { subject, text, html, variables } = body;
    return this.database.transaction(async (transaction) => {
      await transaction.query(LOCK, [`${organizationId ?? 'platform'} ${body.name}`]);
      const texts = [subject, text, html, JSON.stringify(variables)];
      const values = [randomUUIDv7(), organizationId, body.name, ...texts, actor.id];
      const [row] = await transaction.query<TemplateDto>(INSERT, values);
      if (!row) throw new Error('The template was not stored.');
      const { id, name, version } = row;
      const target = { type: 'email_template', id };
      const change = { action: 'email_template_saved', actor, organizationId, target };
      await this.audit.record(transaction, { ...change, details: { name, version } });
      return row;
    });
  }
}

function assertValid(body: SaveTemplateDto): void {
  const names = body.variables.map(({ name }) => name);
  const findings = findingsIn(body);
  if (new Set(names).size < names.length)
    findings.push(finding('variables', 'duplicate', 'must have each name once'));
  if (!isHeaderText(body.subject)) findings.push(finding('subject', ...NOT_ONE_LINE));
  if (findings.length > 0) throw new RequestIsNotValid(findings);
}
