import { createHash } from 'node:crypto';
import type { Response } from 'express';

export interface Page {
  readonly title: string;
  /** HTML after the heading. */
  readonly content: string;
  /** Where the browser goes at once. */
  readonly next?: string;
}

const STYLE = `:root { color-scheme: light dark; --ink: #0f1419; --quiet: #536471; --line: #dfe4e8; --page: #f5f7f8; --card: #fff; --accent: #0f62b5; --accent-ink: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ea; --quiet: #9aa6af; --line: #2f3336; --page: #0b0d0f; --card: #14181b; --accent: #7cbcff; --accent-ink: #06223d; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
main { max-width: 544px; margin: 32px auto; padding: 24px 32px 32px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 8px 0 16px; }
p { margin: 0 0 16px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 16px; margin: 0 0 24px; }
dt, .quiet { color: var(--quiet); }
dd { margin: 0; font-weight: 600; }
a { color: var(--accent); }
button { width: 100%; margin: 0 0 16px; padding: 12px 24px; border: 0; border-radius: 8px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
p:last-child { margin: 0; }
@media (max-width: 480px) { main { margin: 0; padding: 16px 16px 24px; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 8px; } }`;

/** No scripts, nothing of other origins, in no frame. Forms go to this service only. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Sends a page for a person whose browser connects an account. */
export function sendPage(response: Response, status: number, page: Page): void {
  response
    .status(status)
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Content-Security-Policy', POLICY)
    // With `no-referrer` a form would be sent with the origin `null`.
    .setHeader('Referrer-Policy', 'same-origin')
    .type('html')
    .send(htmlOf(page));
}

/** Between U+2068 and U+2069: a right-to-left name does not reorder the text around it. */
export const isolated = (name: string): string =>
  `\u2068${name.replaceAll(/[\u2066-\u2069\u202a-\u202e]/g, '')}\u2069`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, in elements and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function htmlOf({ title, content, next }: Page): string {
  const refresh = next === undefined ? '' : `<meta http-equiv="refresh" content="0; url=${escaped(next)}">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;
}
