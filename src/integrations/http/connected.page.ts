import type { Response } from 'express';

/** A page for a person whose browser connects an account. Plain, without scripts, nothing loaded from anywhere. */
export function showPage(response: Response, status: number, title: string, sentence: string): void {
  response.status(status).setHeader('Cache-Control', 'no-store').type('html').send(page(title, sentence));
}

function page(title: string, sentence: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(sentence)}</p>
<p>You can close this window.</p>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
