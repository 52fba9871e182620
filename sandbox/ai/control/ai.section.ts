import { html, type Markup } from '#libs/pages';
import type { Effect } from '../../ledger/effect.js';
import type { Picture } from '../pictures/gallery.js';
import { type BillLine, totalOf } from '../provider/bill.js';
import type { AiProvider, AiWorld } from '../provider/provider.js';

const SHOWN_PICTURES = 6;
const SHOWN_COMPLETIONS = 5;
const SHOWN_CHARACTERS = 120;

export function aiSection(world: AiWorld, providers: readonly AiProvider[]): Markup {
  const lines = world.bill.matching({});
  const asked = world.ledger.latest({ kind: 'ai.completion' }, SHOWN_COMPLETIONS);
  const pictures = world.gallery.all.slice(0, SHOWN_PICTURES);
  return html`<h2>AI providers</h2>
    <ul class="faults">
      ${providers.map((provider) => providerLine(provider, lines))}
    </ul>
    ${
      asked.length > 0 &&
      html`<ul class="faults">
        ${asked.map(completionLine)}
      </ul>`
    }
    ${pictures.length > 0 && html`<div class="pictures">${pictures.map(pictureCard)}</div>`}
    <p>
      <a href="/_sandbox/ai">keys and models</a> · <a href="/_sandbox/ai/bill">bill</a> ·
      <a href="/_sandbox/ledger?kind=ai.completion">completions</a> ·
      <a href="/_sandbox/ai/faults">faults</a> ·
      <a href="/model-catalog">open catalog</a>
    </p>`;
}

function providerLine({ network, nature }: AiProvider, all: readonly BillLine[]): Markup {
  const lines = all.filter(({ provider }) => provider === network);
  const { inputTokens, cachedInputTokens, outputTokens, images } = totalOf(lines);
  return html`<li>
    <strong>${nature.displayName}</strong>
    <span class="quiet"
      >${lines.length} ${lines.length === 1 ? 'call' : 'calls'} · ${inputTokens + cachedInputTokens} tokens
      in, ${outputTokens} out · ${images} ${images === 1 ? 'picture' : 'pictures'}</span
    >
  </li>`;
}

const pictureCard = ({ id, prompt, model }: Picture): Markup =>
  html`<a href="/_sandbox/ai/pictures/${id}" title="${model}"
    ><img src="/_sandbox/ai/pictures/${id}" alt="${prompt.slice(0, 200)}" loading="lazy"
  /></a>`;

const completionLine = ({ network, text, answered }: Effect): Markup =>
  html`<li>
    ${(text ?? '').slice(0, SHOWN_CHARACTERS)}
    <span class="quiet">${network}${answered !== 'yes' && ` · ${answered}`}</span>
  </li>`;
