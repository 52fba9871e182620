import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutboxMessage } from '../delivery.types.js';

/** The whole message. Recipients of kind bcc are in the envelope only. Reads no file and no address. */
export function mimeOf(message: OutboxMessage): Promise<Buffer> {
  const addressesOf = (kind: 'to' | 'cc') =>
    message.recipients
      .filter((recipient) => recipient.kind === kind)
      .map(({ name, address }) => ({ name: name ?? '', address }));
  const composed = new MailComposer({
    disableFileAccess: true,
    disableUrlAccess: true,
    from: { name: message.fromName, address: message.fromAddress },
    to: addressesOf('to'),
    cc: addressesOf('cc'),
    ...(message.replyTo !== null && { replyTo: message.replyTo }),
    subject: message.subject,
    ...(message.text !== null && { text: message.text }),
    ...(message.html !== null && { html: message.html }),
    messageId: message.messageId,
    date: message.createdAt,
    headers: { ...message.headers },
  });
  return composed.compile().build();
}
