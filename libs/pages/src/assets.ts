/** What all pages share: colours for light and dark, type, cards, links, buttons. A site adds what only it has. */
export const STYLES = `
:root { color-scheme: light dark; --ink: #0f1419; --quiet: #536471; --line: #e3e8ec; --page: #f5f7f8; --card: #fff;
  --accent: #0f1419; --accent-ink: #fff; --link: #1066b5; --warn: #8a4b00; --warn-page: #fff4e0; --ok: #1d7fd6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ea; --quiet: #8b98a5; --line: #2f3336; --page: #000;
  --card: #0f1214; --accent: #eff3f4; --accent-ink: #0f1419; --link: #6cb6ff; --warn: #ffcf8a; --warn-page: #2c1f08; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.card { max-width: 620px; margin: 32px auto; padding: 24px 28px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; overflow-wrap: anywhere; }
.narrow { max-width: 480px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 8px 0 12px; text-wrap: balance; }
h2 { font-size: 1rem; margin: 24px 0 8px; }
p { margin: 0 0 8px; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code { font: 0.85em ui-monospace, SFMono-Regular, Menlo, monospace; color: var(--quiet); }
p code { white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.command { margin: 16px 0; padding: 12px 16px; background: var(--page); border: 1px solid var(--line); border-radius: 12px; font: 0.85rem/1.6 ui-monospace, SFMono-Regular, Menlo, monospace; }
.stage { font-size: 0.8rem; color: var(--quiet); letter-spacing: 0.02em; }
.quiet { color: var(--quiet); }
.problem { color: var(--warn); background: var(--warn-page); border-radius: 10px; padding: 10px 14px; }
.mark { display: block; margin: 8px 0 16px; fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.mark circle { stroke: none; }
.done { stroke: #fff; }
.done circle { fill: var(--ok); }
.refused { stroke: var(--warn); }
.refused circle { fill: var(--warn-page); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 8px 24px; margin: 16px 0; padding: 16px 0; border: solid var(--line); border-width: 1px 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; font-weight: 600; }
.rows { display: grid; gap: 8px; margin: 16px 0; }
.row { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 12px 16px; border: 1px solid var(--line); border-radius: 12px; color: inherit; line-height: 1.35; }
.row:hover { background: var(--page); text-decoration: none; }
.row .quiet { font-size: 0.85rem; }
.arrow { flex: none; fill: none; stroke: var(--quiet); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.buttons { display: flex; gap: 12px; margin: 20px 0 12px; }
button { flex: 1; font: inherit; font-weight: 600; padding: 10px 18px; border-radius: 999px; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer; }
button.primary { background: var(--accent); color: var(--accent-ink); border-color: var(--accent); }
button:hover { opacity: 0.88; }
:focus-visible { outline: 2px solid var(--ok); outline-offset: 2px; }
@media (max-width: 660px) { .card { margin: 0; border-width: 0 0 1px; border-radius: 0; padding-left: 18px; padding-right: 18px; } }
@media (max-width: 400px) { .facts { grid-template-columns: 1fr; gap: 0; } .facts dd + dt { margin-top: 8px; } }
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d7fd6"/><path d="M9 17l5 5 9-12" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
