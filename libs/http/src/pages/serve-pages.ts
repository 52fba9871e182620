import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { ICON, STYLES } from '#libs/pages';
import type { ApiDescription } from '../openapi/api-description.js';
import { sendProblem } from '../problems/send-problem.js';
import { textsFor } from '../problems/status-texts.js';
import { homePage } from './home.page.js';
import { prefersPage, sendPage } from './send-page.js';

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
