import type { Request, Response } from 'express';
import { type Markup, PAGE_POLICY, pageOf } from '#libs/pages';

interface PageToSend {
  readonly title: string;
  readonly content: Markup;
  /** Where the browser goes at once. */
  readonly next?: string;
}

/** Forms go to this service only. */
const POLICY = `${PAGE_POLICY}; form-action 'self'`;

/** Whether the caller is a browser that shows pages: all others get JSON. */
export const prefersPage = (request: Request): boolean =>
  request.accepts(['json', 'application/problem+json', 'html']) === 'html';

/** Sends a page for a person. */
export function sendPage(response: Response, status: number, { title, content, next }: PageToSend): void {
  response
    .status(status)
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Content-Security-Policy', POLICY)
    // With `no-referrer` a form would be sent with the origin `null`.
    .setHeader('Referrer-Policy', 'same-origin')
    .vary('Accept')
    .type('html')
    .send(pageOf({ title, content, assets: assetsFor(response.req), ...refreshTo(next) }).text);
}

const refreshTo = (next: string | undefined) =>
  next === undefined ? {} : { refresh: { seconds: 0, address: next } };

/** Relative: a proxy may serve the service below a path. */
function assetsFor({ path }: Request): { readonly styles: string; readonly icon: string } {
  const root = rootFrom(path);
  return { styles: `${root}assets/pages.css`, icon: `${root}assets/icon.svg` };
}

/** From the address of a page to that of `/`, as a relative reference. */
export const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './';
