import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import { isHeaderText } from '../shared/addresses.js';
import { SaveTemplateDto } from './template.dto.js';
import { findingsIn } from './render.js';
import { type TemplateRow, TemplatesStore } from './templates.store.js';

/** Adds a version of a template. */
@Injectable()
export class SaveTemplate {
  constructor(
    private readonly database: Database,
    private readonly templates: TemplatesStore,
    private readonly audit: GatewayAudit,
  ) {}

  /** @param organizationId null: of the platform. @throws RequestIsNotValid with all findings */
  save(organizationId: string | null, actor: AuditActor, body: SaveTemplateDto): Promise<TemplateRow> {
    const content = SaveTemplateDto.contentOf(body);
    const names = content.variables.map(({ name }) => name);
    const findings = findingsIn(content);
    if (new Set(names).size < names.length)
      findings.push({ pointer: '#/variables', code: 'duplicate', detail: 'must have each name once' });
    if (!isHeaderText(content.subject))
      findings.push({
        pointer: '#/subject',
        code: 'not_one_line',
        detail: 'must be one line without control characters',
      });
    if (findings.length > 0) throw new RequestIsNotValid(findings);
    return this.database.transaction(async (transaction) => {
      const row = await this.templates.add(organizationId, body.name, content, actor.id);
      const target = { type: 'email_template', id: row.id };
      const details = { name: row.name, version: row.version };
      await this.audit.record(transaction, {
        action: 'email_template_saved',
        actor,
        organizationId,
        target,
        details,
      });
      return row;
    });
  }
}
