/** Text that is HTML already. */
export class Markup {
  constructor(readonly text: string) {}
}

type Piece = Markup | string | number | undefined | false | readonly Piece[];

/** HTML with every value escaped, in element content as in quoted attributes, unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(render)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, in element content and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

function render(value: Piece): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  if (value === undefined || value === false) return '';
  return escaped(String(value));
}
