/** What happened to an attachment, by ids: its name is never in the log. In the stream of its contact. */
interface Happened<Type extends string> {
  readonly type: Type;
  readonly data: { readonly contactId: string; readonly attachmentId: string };
}

export type AttachmentAdded = Happened<'AttachmentAdded'>;
/** For good, with the file. */
export type AttachmentDeleted = Happened<'AttachmentDeleted'>;

export type AttachmentEvent = AttachmentAdded | AttachmentDeleted;
