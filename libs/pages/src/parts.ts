import { html, type Markup } from './html.js';

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
