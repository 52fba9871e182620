import fc from 'fast-check';
import { html } from './html.js';

describe('markup', () => {
  it('escapes values and leaves markup alone', () => {
    const inner = html`<b>${'<i>'}</b>`;
    expect(
      html`<p title="${'"quoted" & \'single\''}">${inner}${[inner, 'x']}${false}${undefined}${0}</p>`.text,
    ).toBe('<p title="&quot;quoted&quot; &amp; &#39;single&#39;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b>x0</p>');
  });

  it('never lets a value leave its place', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(html`${value}`.text).not.toMatch(/[<>"']/);
      }),
    );
  });
});
