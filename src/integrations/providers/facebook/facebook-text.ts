/** Characters. Not published by Facebook; the same number is in many secondary sources, read 2026-11-21. */
export const MAX_MESSAGE = 63_206;

interface Content {
  readonly text: string;
  readonly link?: string | null;
}

/** The text of a post with a card for its link. */
export const messageOf = ({ text }: Content): string => text.normalize('NFC').trim();

/** The text of a post with files: it has no card, so a link that is not in the text is appended. */
export function captionOf({ text, link }: Content): string {
  const message = messageOf({ text });
  if (!link || message.includes(link)) return message;
  return message === '' ? link : `${message}\n\n${link}`;
}

export const lengthOf = (text: string): number => [...text].length;
