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

const PATHS = {
  done: html`<path d="M7 12.5l3.5 3.5L17 9" />`,
  refused: html`<path d="M12 7v6" /><path d="M12 16.5v.01" />`,
};

/** A picture above the heading that says how something ended. */
export const markOf = (kind: keyof typeof PATHS): Markup =>
  html`<svg class="mark ${kind}" viewBox="0 0 24 24" width="48" height="48" aria-hidden="true">
    <circle cx="12" cy="12" r="12" />
    ${PATHS[kind]}
  </svg>`;

/** A link with a sentence on what is there. */
export const linkRow = (address: string, name: string, sentence: string): Markup =>
  html`<a class="row" href="${address}">
    <span>
      <strong>${name}</strong><br />
      <span class="quiet">${sentence}</span>
    </span>
    <svg class="arrow" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M6 3l5 5-5 5" />
    </svg>
  </a>`;
