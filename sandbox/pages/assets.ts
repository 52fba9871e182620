import { ICON as ICON_TEXT, STYLES } from '#libs/pages';
import type { SandboxResponse } from '../wire/response.js';

const OWN_STYLES = `
img { border-radius: 50%; flex: none; display: block; }
.media { display: grid; gap: 2px; margin: 10px 0 0; border: 1px solid var(--line); border-radius: 16px; overflow: hidden; }
.media-2, .media-3, .media-4 { grid-template-columns: 1fr 1fr; }
.media img, .media video { display: block; width: 100%; height: auto; max-height: 510px; border-radius: 0; object-fit: cover; background: var(--line); }
.media-2 img, .media-3 img, .media-4 img { height: 100%; aspect-ratio: 1; }
.pictures { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; margin: 10px 0; }
.pictures img { width: 100%; height: auto; aspect-ratio: 1; object-fit: cover; border-radius: 10px; }
iframe { width: 100%; height: 480px; border: 1px solid var(--line); border-radius: 10px; background: #fff; }
fieldset { border: 0; padding: 0; margin: 16px 0; }
legend { font-weight: 600; padding: 0; margin-bottom: 8px; }
.choice, .new { display: flex; align-items: center; gap: 12px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 12px; margin-bottom: 8px; line-height: 1.3; cursor: pointer; }
.choice:hover { background: var(--page); }
.choice:has(input:checked) { border-color: var(--ok); box-shadow: inset 0 0 0 1px var(--ok); }
.new input { flex: 1; min-width: 0; }
input { font: inherit; color: inherit; accent-color: var(--ok); }
.new input { padding: 6px 10px; border: 1px solid var(--line); border-radius: 8px; background: transparent; }
.scopes { padding-left: 20px; margin: 0 0 20px; }
.scopes li { margin-bottom: 4px; }
.timeline { padding: 20px 0 8px; overflow: hidden; }
.timeline > .stage, .profile, .empty { padding: 0 28px; }
.profile { display: flex; gap: 18px; align-items: center; padding-bottom: 18px; }
.profile h1 { margin: 0; }
.profile p { margin: 0; }
.badge { display: inline-block; width: 20px; height: 20px; border-radius: 50%; background: var(--ok); color: #fff; font-size: 0.75rem; line-height: 20px; text-align: center; vertical-align: 3px; }
.empty { color: var(--quiet); padding-top: 24px; padding-bottom: 32px; border-top: 1px solid var(--line); text-align: center; }
.thread { border-top: 1px solid var(--line); padding: 14px 28px 4px; }
.post { position: relative; display: flex; gap: 14px; padding-bottom: 12px; }
.post > div { min-width: 0; flex: 1; }
.post:not(:last-child)::before { content: ""; position: absolute; left: 21px; top: 48px; bottom: 0; width: 2px; background: var(--line); }
.highlighted .text { font-size: 1.2rem; }
.byline { margin: 0; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 2px 0 0; }
.accounts { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 10px; }
.account { display: flex; gap: 12px; align-items: center; padding: 12px; border: 1px solid var(--line); border-radius: 12px; color: inherit; line-height: 1.3; }
.account > span { min-width: 0; overflow-wrap: anywhere; }
.account:hover { background: var(--page); text-decoration: none; }
.account .quiet { font-size: 0.85rem; }
.faults { padding-left: 20px; margin: 0; }
.addresses { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; }
.addresses dd { margin: 0; }
@media (max-width: 660px) { .timeline { padding-left: 0; padding-right: 0; } }
`;

export const STYLESHEET: SandboxResponse = {
  status: 200,
  headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=300' },
  body: STYLES + OWN_STYLES,
};

export const ICON: SandboxResponse = {
  status: 200,
  headers: { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=86400' },
  body: ICON_TEXT,
};
