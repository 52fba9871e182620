import type { DomainEvent } from '#libs/event-store';

interface OfAttachment {
  readonly contactId: string;
  readonly attachmentId: string;
}

export type AttachmentAdded = DomainEvent<'AttachmentAdded', OfAttachment>;
/** For good, with the file. */
export type AttachmentDeleted = DomainEvent<'AttachmentDeleted', OfAttachment>;

/** What happened to an attachment, by ids: its name is never in the log. In the stream of its contact. */
export type AttachmentEvent = AttachmentAdded | AttachmentDeleted;
