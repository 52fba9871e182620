const EMOJI = /\p{RGI_Emoji}/gv;
const LINK = /https?:\/\/[^\s<>"]+/giu;

/** "Emojis are counted as the number of UTF-8 bytes used to represent them". */
export function lengthOf(text: string): number {
  const emoji = [...text.matchAll(EMOJI)].map(([each]) => each);
  const inBytes = emoji.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  return [...text.replace(EMOJI, '')].length + inBytes;
}

export const linksIn = (text: string, attached: string | null): number =>
  new Set([...text.matchAll(LINK)].map(([each]) => each).concat(attached ?? [])).size;
