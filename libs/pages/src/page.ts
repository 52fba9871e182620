import { html, type Markup } from './html.js';

/** Text of a person between U+2068 and U+2069: a right-to-left name does not reorder the text around it. */
export const isolated = (name: string): string =>
  `\u2068${name.replaceAll(/[\u2066-\u2069\u202a-\u202e]/g, '')}\u2069`;

interface Page {
  readonly title: string;
  /** Elements of the body. */
  readonly content: Markup;
  /** Addresses of the stylesheet and the icon, relative or absolute, of the same origin. */
  readonly assets: { readonly styles: string; readonly icon: string };
  /** Reloads the page, or goes to another address. */
  readonly refresh?: { readonly seconds: number; readonly address?: string };
}

/** No scripts, no inline styles, nothing of other origins, in no frame. `form-action` is added by who has forms. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A whole document. */
export function pageOf({ title, content, assets, refresh }: Page): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${refresh && html`<meta http-equiv="refresh" content="${refreshOf(refresh)}" />`}
        <title>${title}</title>
        <link rel="icon" href="${assets.icon}" />
        <link rel="stylesheet" href="${assets.styles}" />
      </head>
      <body>
        ${content}
      </body>
    </html>`;
}

const refreshOf = ({ seconds, address }: NonNullable<Page['refresh']>): string =>
  address === undefined ? String(seconds) : `${seconds}; url=${address}`;
