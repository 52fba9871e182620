/** What a reply of a mail server means for a recipient. */
export interface ReplyMeaning {
  readonly state: 'queued' | 'refused';
  /** The enhanced status code, else the reply code. */
  readonly code: string;
  readonly detail: string;
  /** The mailbox does not exist. */
  readonly suppress: boolean;
}

/** RFC 2034: the enhanced status code is the first word of the text. */
const ENHANCED = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/;
/** RFC 3463: no such mailbox; mailbox disabled. */
const NO_MAILBOX = ['5.1.1', '5.2.1'];
const FULL = /^[45]\.2\.2$/;

/**
 * The reply code decides between later and never, except that a full mailbox is always tried again. 5.7.x is a refusal of the
 * sender or the content, so it never suppresses the recipient.
 */
export function meaningOf(replyCode: number, response: string): ReplyMeaning {
  const enhanced = ENHANCED.exec(response)?.[1];
  const isLater = replyCode < 500 || FULL.test(enhanced ?? '');
  return {
    state: isLater ? 'queued' : 'refused',
    code: enhanced ?? String(replyCode),
    detail: printable(response),
    suppress: !isLater && NO_MAILBOX.includes(enhanced ?? ''),
  };
}

const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 500);
