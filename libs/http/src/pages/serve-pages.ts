import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { html, ICON, linkRow, type Markup, STYLES } from '#libs/pages';
import type { ApiDescription } from '../openapi/api-description.js';
import { sendProblem } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import { prefersPage, sendPage } from './send-page.js';

/**
 * The page at `/`: what the service is, and where to go.
 * @param hasDocs whether `/docs` is served; without it, in production, the page names no more than what the service is
 */
function homePage({ title, description, firstStep }: ApiDescription, hasDocs: boolean): Markup {
  const [purpose = '', ...more] = description.split(/(?<=\.)\s+/);
  return html`<main class="card">
    <p class="stage">Content operations</p>
    <h1>${title}</h1>
    <p>${withCode(purpose)}</p>
    ${hasDocs && html`<p class="quiet">${withCode(more.join(' '))}</p>`}
    <nav class="rows" aria-label="Addresses">
      ${
        hasDocs && [
          linkRow('./docs', 'Documentation', 'Every operation, to read and to try in this browser.'),
          linkRow('./openapi.json', 'OpenAPI document', 'The same for programs.'),
        ]
      }
      ${linkRow('./health', 'Health', 'Whether the service works, and what it depends on.')}
    </nav>
    ${
      hasDocs &&
      firstStep &&
      html`<h2>First step</h2>
        <p>${withCode(firstStep.text)}</p>
        <pre class="command">${firstStep.commands}</pre>
        <p class="quiet">
          ${withCode(`The chapter “${firstStep.chapter}” of \`${firstStep.document}\` goes on from there.`)}
        </p>`
    }
  </main>`;
}

/** CommonMark without its code spans is plain text here. */
const withCode = (text: string): Markup[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** `/` for people, and the assets of all pages of a service. */
export function servePages(app: NestExpressApplication, api: ApiDescription, hasDocs: boolean): void {
  const content = homePage(api, hasDocs);
  const router = app.getHttpAdapter().getInstance();
  router.get('/', (request: Request, response: Response) => {
    if (prefersPage(request)) return sendPage(response, 200, { title: api.title, content });
    response.vary('Accept');
    sendProblem(response, { status: 404, ...textsFor(404) });
  });
  router.get('/assets/pages.css', asset('css', STYLES));
  router.get('/assets/icon.svg', asset('svg', ICON));
}

/** The names have no hash: during a rollout a page of one release is shown with the stylesheet of another. */
const asset = (type: string, text: string) => (_request: Request, response: Response) =>
  response.type(type).setHeader('Cache-Control', 'public, max-age=300').send(text);
