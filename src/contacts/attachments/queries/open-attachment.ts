import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { type AttachmentSummary, summaryOf } from '../views/attachment.view.js';
import { AttachmentAccess } from './attachments.access.js';

export interface OpenAttachmentRequest {
  readonly attachmentId: string;
  readonly caller: Caller;
}

/** The facts of an attachment and the key of its object. @throws AttachmentNotFound, ScopeIsMissing */
export class OpenAttachment extends Query<AttachmentSummary & { readonly key: string }> {
  constructor(readonly request: OpenAttachmentRequest) {
    super();
  }
}

@QueryHandler(OpenAttachment)
export class OpenAttachmentHandler implements IQueryHandler<OpenAttachment> {
  constructor(private readonly access: AttachmentAccess) {}

  async execute({ request: { attachmentId, caller } }: OpenAttachment) {
    const row = await this.access.find(attachmentId, caller, 'contacts.read');
    return { ...summaryOf(row), key: row.object_key };
  }
}
