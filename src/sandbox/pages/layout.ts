import type { Markup } from '../wire/html.js';
import { html } from '../wire/html.js';

export interface Layout {
  readonly title: string;
  readonly refreshSeconds?: number;
  readonly content: Markup;
}

export function layout({ title, refreshSeconds, content }: Layout): Markup {
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      ${refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
      <title>${title}</title>
      <link rel="icon" href="/_sandbox/icon.svg" />
      <link rel="stylesheet" href="/_sandbox/sandbox.css" />
    </head>
    <body>
      ${content}
    </body>
  </html>`;
}
