import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { CountedRows } from '#libs/http';
import { TemplateNotFound } from '../email.errors.js';
import type { TemplateContent } from './render.js';

export interface TemplateRow extends TemplateContent {
  readonly id: string;
  readonly organization_id: string | null;
  readonly name: string;
  readonly version: number;
  readonly created_at: Date;
}

const COLUMNS = 'id, organization_id, name, version, subject, text, html, variables, created_at';
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
/**
 * The newest version of each, and how many there are from here on. $1 organization or null, $2 whether those of the platform are included,
 * $3 after, $4 count
 */
const LIST = statement(
  'gateway_list_email_templates',
  `SELECT ${COLUMNS}, rest FROM (
     SELECT newest.*, count(*) OVER ()::int AS rest,
       sum(octet_length(text) + coalesce(octet_length(html), 0))
         OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
     FROM (
       SELECT DISTINCT ON (organization_id, name) ${COLUMNS} FROM gateway.email_template
        WHERE organization_id IS NOT DISTINCT FROM $1 OR ($2::boolean AND organization_id IS NULL)
        ORDER BY organization_id, name, version DESC) newest
      WHERE $3::uuid IS NULL OR id > $3) sized
    WHERE before IS NULL OR before < ${PAGE_BYTES} ORDER BY id LIMIT $4`,
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
  constructor(private readonly database: Database) {}

  /** @param version the newest without one. @throws TemplateNotFound */
  async find(organizationId: string | null, name: string, version?: number): Promise<TemplateRow> {
    const [row] = await this.database.query<TemplateRow>(FIND, [organizationId, name, version ?? null]);
    if (!row) throw new TemplateNotFound();
    return row;
  }

  async list(
    organizationId: string | null,
    after: string | null,
    count: number,
  ): Promise<CountedRows<TemplateRow>> {
    const values = [organizationId, organizationId !== null, after, count];
    const rows = await this.database.query<TemplateRow & { readonly rest: number }>(LIST, values);
    return { rows, hasMore: rows.length < (rows[0]?.rest ?? 0) };
  }

  /** Joins the caller's transaction. */
  async add(
    organizationId: string | null,
    name: string,
    { subject, text, html, variables }: TemplateContent,
    by: string | null,
  ): Promise<TemplateRow> {
    await this.database.query(LOCK, [`${organizationId ?? 'platform'} ${name}`]);
    const values = [randomUUIDv7(), organizationId, name, subject, text, html, JSON.stringify(variables), by];
    const [row] = await this.database.query<TemplateRow>(INSERT, values);
    if (!row) throw new Error('The template was not stored.');
    return row;
  }
}
