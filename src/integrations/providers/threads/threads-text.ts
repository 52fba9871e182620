/** Sequences that are shown as one picture, and characters that may be shown as one. */
const EMOJI = /\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?/gv;
const LINK = /https?:\/\/[^\s<>"]+/giu;

const encoder = new TextEncoder();

interface Content {
  readonly text: string;
  readonly link?: string | null;
}

/** Text and link as they are sent. Only a post without files has a link of its own; elsewhere it is part of the text. */
export function partsOf(content: Content, files: number): { text: string; link: string | null } {
  const text = content.text.normalize('NFC');
  const { link = null } = content;
  if (!link || text.includes(link)) return { text, link: null };
  if (text.trim() === '') return { text: link, link: null };
  return files === 0 ? { text, link } : { text: `${text}\n\n${link}`, link: null };
}

/** As Threads counts: an emoji as many as its bytes in UTF-8, everything else one for each character. */
export function lengthOf(text: string): number {
  const emoji = text.match(EMOJI) ?? [];
  const bytes = emoji.reduce((sum, each) => sum + encoder.encode(each).length, 0);
  const characters = [...text].length - emoji.reduce((sum, each) => sum + [...each].length, 0);
  return characters + bytes;
}

/** How many different links the post has. */
export function linksIn({ text, link }: { text: string; link: string | null }): number {
  return new Set([...(text.match(LINK) ?? []), ...(link === null ? [] : [link])]).size;
}
