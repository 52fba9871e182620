import { html, type Markup } from '#libs/pages';
import { layout } from '../pages/layout.js';
import { ago } from '../pages/relative-time.js';
import type { SwitchedFault } from '../faults/fault-registry.js';
import type { Site } from '../wire/site.js';

export interface AccountCard {
  readonly network: string;
  readonly name: string;
  readonly username: string;
  readonly avatar: string;
  readonly timeline: string;
  readonly posts: number;
  readonly lastPostAt: string | undefined;
}

export interface Overview {
  readonly accounts: readonly AccountCard[];
  readonly faults: readonly SwitchedFault[];
  readonly effects: number;
  readonly sites: readonly Pick<Site, 'prefix' | 'address' | 'standsFor'>[];
  readonly sections: readonly Markup[];
  readonly now: Date;
}

const REFRESH_SECONDS = 10;
const MAX_CARDS = 60;

export function indexPage({ accounts, faults, effects, sites, sections, now }: Overview): Markup {
  const content = html`<main class="card">
    <p class="stage">Sandbox · a local simulation of networks and providers</p>
    <h1>What the networks would show</h1>
    <p>
      This process stands in for the social networks and implements their real wire format. Posts that are
      published end up on the timelines below, and nowhere else.
    </p>
    <h2>Accounts</h2>
    <div class="accounts">${busiestFirst(accounts).map((account) => card(account, now))}</div>
    ${accounts.length > MAX_CARDS && html`<p class="quiet">… and ${accounts.length - MAX_CARDS} more.</p>`}
    ${sections}
    <h2>Ledger</h2>
    <p>
      ${effects} ${effects === 1 ? 'effect' : 'effects'} accepted, each once:
      <a href="/_sandbox/ledger">entries</a> · <a href="/_sandbox/ledger/counts">counts by text</a>
    </p>
    <h2>Faults</h2>
    ${
      faults.length === 0
        ? html`<p>None is switched on.</p>`
        : html`<ul class="faults">
            ${faults.map(faultLine)}
          </ul>`
    }
    <h2>Addresses</h2>
    <dl class="addresses">
      ${sites.map(
        ({ prefix, address, standsFor }) => html`
          <dt><code>${address ? html`<a href="${address()}">${address()}</a>` : `/${prefix}`}</code></dt>
          <dd>${standsFor}</dd>
        `,
      )}
      <dt><code>/_sandbox</code></dt>
      <dd>control: <a href="/_sandbox">state</a>, faults, accounts with ready tokens</dd>
    </dl>
  </main>`;
  return layout({ title: 'Sandbox', refreshSeconds: REFRESH_SECONDS, content });
}

function busiestFirst(accounts: readonly AccountCard[]): AccountCard[] {
  const byLastPost = (left: AccountCard, right: AccountCard): number =>
    (right.lastPostAt ?? '').localeCompare(left.lastPostAt ?? '');
  return accounts.toSorted(byLastPost).slice(0, MAX_CARDS);
}

function card(account: AccountCard, now: Date): Markup {
  const last = account.lastPostAt === undefined ? '' : ` · last ${ago(account.lastPostAt, now)}`;
  return html`<a class="account" href="${account.timeline}">
    <img src="${account.avatar}" alt="" width="44" height="44" />
    <span>
      <strong>${account.name}</strong><br />
      <span class="quiet"
        >${account.network} · @${account.username} · ${account.posts}
        ${account.posts === 1 ? 'post' : 'posts'}${last}</span
      >
    </span>
  </a>`;
}

function faultLine({ fault, hits }: SwitchedFault): Markup {
  const { kind, host, route, account, times } = fault;
  const where = [host, route, account].filter((part) => part !== undefined).join(' · ');
  return html`<li>
    <strong>${kind}</strong> ${where}
    <span class="quiet">hit ${hits}${times !== undefined && ` of ${times}`}</span>
  </li>`;
}
