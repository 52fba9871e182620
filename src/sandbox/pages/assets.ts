import type { SandboxResponse } from '../wire/response.js';

const CSS = `
:root { color-scheme: light dark; --ink: #0f1419; --quiet: #536471; --line: #e3e8ec; --page: #f5f7f8; --card: #fff;
  --accent: #0f1419; --accent-ink: #fff; --link: #1066b5; --warn: #8a4b00; --warn-page: #fff4e0; --ok: #1d7fd6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ea; --quiet: #8b98a5; --line: #2f3336; --page: #000;
  --card: #0f1214; --accent: #eff3f4; --accent-ink: #0f1419; --link: #6cb6ff; --warn: #ffcf8a; --warn-page: #2c1f08; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.card { max-width: 620px; margin: 32px auto; padding: 24px 28px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
.consent { max-width: 480px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 8px 0 12px; }
h2 { font-size: 1rem; margin: 24px 0 8px; }
p { margin: 0 0 8px; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code { font: 0.85em ui-monospace, SFMono-Regular, Menlo, monospace; color: var(--quiet); }
img { border-radius: 50%; flex: none; display: block; }
.media { display: grid; gap: 2px; margin: 10px 0 0; border: 1px solid var(--line); border-radius: 16px; overflow: hidden; }
.media-2, .media-3, .media-4 { grid-template-columns: 1fr 1fr; }
.media img, .media video { display: block; width: 100%; height: auto; max-height: 510px; border-radius: 0; object-fit: cover; background: var(--line); }
.media-2 img, .media-3 img, .media-4 img { height: 100%; aspect-ratio: 1; }
.pictures { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; margin: 10px 0; }
.pictures img { width: 100%; height: auto; aspect-ratio: 1; object-fit: cover; border-radius: 10px; }
.stage { font-size: 0.8rem; color: var(--quiet); letter-spacing: 0.02em; }
.quiet { color: var(--quiet); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { width: 100%; height: 480px; border: 1px solid var(--line); border-radius: 10px; background: #fff; }
.problem { color: var(--warn); background: var(--warn-page); border-radius: 10px; padding: 10px 14px; }
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
.buttons { display: flex; gap: 12px; margin: 20px 0 12px; }
button { flex: 1; font: inherit; font-weight: 600; padding: 10px 18px; border-radius: 999px; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer; }
button.primary { background: var(--accent); color: var(--accent-ink); border-color: var(--accent); }
button:hover { opacity: 0.88; }
:focus-visible { outline: 2px solid var(--ok); outline-offset: 2px; }
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
@media (max-width: 660px) { .card { margin: 0; border-width: 0 0 1px; border-radius: 0; padding-left: 18px; padding-right: 18px; } .timeline { padding-left: 0; padding-right: 0; } }
`;

export const STYLESHEET: SandboxResponse = {
  status: 200,
  headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=300' },
  body: CSS,
};

export const ICON: SandboxResponse = {
  status: 200,
  headers: { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=86400' },
  body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d7fd6"/><path d="M9 17l5 5 9-12" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
};
