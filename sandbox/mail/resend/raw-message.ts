import type { EmailRequest } from './read-email.js';

/** The message that a recipient gets. One character per byte. */
export function rawMessage(email: EmailRequest, id: string, at: Date): string {
  const boundary = `=_${id}`;
  const messageId = Object.entries(email.headers).find(([name]) => name.toLowerCase() === 'message-id')?.[1];
  const headers: Record<string, string> = {
    From: email.from,
    To: email.to.join(', '),
    ...(email.cc.length > 0 && { Cc: email.cc.join(', ') }),
    ...(email.replyTo.length > 0 && { 'Reply-To': email.replyTo.join(', ') }),
    Subject: email.subject,
    Date: at.toUTCString(),
    'Message-ID': messageId ?? `<${id}@resend.dev>`,
    ...Object.fromEntries(
      Object.entries(email.headers).filter(([name]) => name.toLowerCase() !== 'message-id'),
    ),
    'MIME-Version': '1.0',
    'Content-Type': `multipart/alternative; boundary="${boundary}"`,
  };
  const parts = [
    ...(email.text === null ? [] : [part(boundary, 'text/plain', email.text)]),
    ...(email.html === null ? [] : [part(boundary, 'text/html', email.html)]),
  ];
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${oneLine(value)}`);
  const raw = `${head.join('\r\n')}\r\n\r\n${parts.join('')}--${boundary}--\r\n`;
  return Buffer.from(raw, 'utf8').toString('latin1');
}

const oneLine = (value: string): string => String(value).replace(/[\r\n]+/g, ' ');

function part(boundary: string, type: string, body: string): string {
  const lines = Buffer.from(body, 'utf8').toString('base64').replace(/.{76}/g, '$&\r\n');
  return `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`;
}
