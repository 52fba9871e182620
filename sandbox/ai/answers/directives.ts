/** What the author of a prompt tells the sandbox by `[sandbox: …]` in its text. */
export interface Directives {
  /** The model refuses in words. */
  readonly refuses: boolean;
  /** A filter of the provider removes the answer. */
  readonly filters: boolean;
  /** The provider refuses the request. */
  readonly blocks: boolean;
  /** The length of the answer. */
  readonly words: number | null;
  /** The answer itself. */
  readonly says: string | null;
  /** Tokens of reasoning before the answer. */
  readonly thinks: number;
}

const DIRECTIVE = /\[sandbox: (refuse|filter|block|words \d{1,6}|think \d{1,6}|say [^\]]*)\]/g;

/** Of the last turn. */
export function directivesIn(text: string): Directives {
  const found = [...text.matchAll(DIRECTIVE)].map(([, directive = '']) => directive);
  const after = (verb: string): string | null =>
    found.find((directive) => directive.startsWith(`${verb} `))?.slice(verb.length + 1) ?? null;
  const words = after('words');
  return {
    refuses: found.includes('refuse'),
    filters: found.includes('filter'),
    blocks: found.includes('block'),
    words: words === null ? null : Number(words),
    says: after('say'),
    thinks: Number(after('think') ?? 0),
  };
}

export const withoutDirectives = (text: string): string => text.replaceAll(DIRECTIVE, '').trim();
