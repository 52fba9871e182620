import type { DomainEvent } from '#libs/event-store';

interface OfAttachment {
  readonly contactId: string;
  readonly attachmentId: string;
}

export type AttachmentAdded = DomainEvent<'AttachmentAdded', OfAttachment>;
/** Permanently, with the file. */
export type AttachmentDeleted = DomainEvent<'AttachmentDeleted', OfAttachment>;

/** Events of an attachment, in the stream of its contact. They hold ids only: file names are personal data. */
export type AttachmentEvent = AttachmentAdded | AttachmentDeleted;
