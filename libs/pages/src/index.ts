export { pageOf, PAGE_POLICY } from './page.js';
export { escaped, html, Markup } from './html.js';
export { isolated } from './page.js';
export { linkRow, markOf } from './html.js';
export { ICON, STYLES } from './assets.js';
