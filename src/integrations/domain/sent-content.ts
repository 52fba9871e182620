import { webUriOf } from '#libs/content';

interface Content {
  readonly text: string;
  readonly title?: string | null;
  readonly link?: string | null;
}

/** The content as every network gets it and counts it: lines end with LF, and the link is a URI, in the text too. */
export function sentContent<C extends Content>(content: C): C {
  const { title, link } = content;
  const text = withUnixLines(content.text);
  const uri = link ? (webUriOf(link) ?? link) : link;
  return {
    ...content,
    text: link && uri && uri !== link ? text.replaceAll(link, () => uri) : text,
    ...(title && { title: withUnixLines(title) }),
    ...(link && { link: uri }),
  };
}

const withUnixLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
