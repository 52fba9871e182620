import { Injectable } from '@nestjs/common';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { AttachmentNotFound } from '../domain/attachment.errors.js';
import { ATTACHMENT_COLUMNS, type AttachmentRow } from '../views/attachment.view.js';

interface Found extends AttachmentRow {
  readonly organization_id: string;
}

const FIND = statement(
  'find_attachment',
  `SELECT attachment.*, contact.organization_id
   FROM (SELECT ${ATTACHMENT_COLUMNS} FROM contacts.attachment WHERE id = $1) AS attachment
   JOIN contacts.contact ON contact.id = attachment.contact_id AND contact.deleted_at IS NULL`,
);

/** Access to attachments by id: the organization is that of the contact. */
@Injectable()
export class AttachmentAccess {
  constructor(private readonly database: Database) {}

  /** @throws AttachmentNotFound when unknown, of another organization, or of a deleted contact; ScopeIsMissing */
  async find(id: string, caller: Caller, scope: Scope): Promise<Found> {
    const [row] = await this.database.query<Found>(FIND, [id]);
    if (!row) throw new AttachmentNotFound();
    caller.must(scope, { organizationId: row.organization_id }, () => new AttachmentNotFound());
    return row;
  }
}
