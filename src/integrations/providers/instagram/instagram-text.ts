/** The caption to send: a link that is not in the text yet is appended as its own paragraph. Instagram shows no links as cards. */
export function captionOf(content: { text: string; link?: string | null }): string {
  const text = content.text.normalize('NFC');
  if (!content.link || text.includes(content.link)) return text;
  return text === '' ? content.link : `${text}\n\n${content.link}`;
}

/** Letters, digits and underscores after a # that begins a word. */
const HASHTAG = /(?<![\p{L}\p{N}_&])[#＃][\p{L}\p{M}\p{N}_]*[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*/gu;
/** Usernames have letters, digits, dots and underscores. An address of mail is no mention. */
const MENTION = /(?<![\p{L}\p{N}_.])@[A-Za-z0-9._]{1,30}/gu;

export const hashtagsIn = (text: string): number => text.match(HASHTAG)?.length ?? 0;
export const mentionsIn = (text: string): number => text.match(MENTION)?.length ?? 0;
