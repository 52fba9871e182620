import type { Markup } from '../../../wire/html.js';
import { html } from '../../../wire/html.js';
import { layout } from '../../../pages/layout.js';
import { ago } from '../../../pages/relative-time.js';
import { linksIn } from '../post-text.js';
import type { X } from '../x.js';
import type { XAccount } from '../x-accounts.js';
import type { XPost } from '../x-posts.js';
import { hasVideo, mediaMarkup } from './media.markup.js';
import type { Thread } from './threads.js';
import { threadsOf } from './threads.js';

const MAX_THREADS = 50;
const REFRESH_SECONDS = 5;

export function timelinePage(x: X, account: XAccount): Markup {
  const posts = x.posts.by(account.id);
  const threads = threadsOf(posts, MAX_THREADS);
  const refreshSeconds = threads.flat().some((post) => hasVideo(x, post)) ? undefined : REFRESH_SECONDS;
  const refreshes = refreshSeconds !== undefined && html`· refreshes every ${refreshSeconds} s`;
  const content = html`<main class="card timeline">
    <p class="stage"><a href="/">Sandbox</a> · stands in for x.com ${refreshes}</p>
    <header class="profile">
      <img src="/x-web/i/avatars/${account.username}.svg" alt="" width="72" height="72" />
      <div>
        <h1>${account.name} ${account.verified && html`<span class="badge" title="Verified">✓</span>`}</h1>
        <p class="quiet">@${account.username} · ${posts.length} ${posts.length === 1 ? 'post' : 'posts'}</p>
        <p>${account.description}</p>
      </div>
    </header>
    ${threads.length === 0 && html`<p class="empty">Nothing has been published here yet.</p>`}
    ${threads.map((thread) => threadMarkup(x, account, thread))}
  </main>`;
  const title = `${account.name} (@${account.username}) · X sandbox`;
  return layout({ title, refreshSeconds, content });
}

/** One post with the thread it stands in. */
export function postPage(x: X, account: XAccount, post: XPost): Markup {
  const thread = x.posts
    .by(account.id)
    .filter(({ conversationId }) => conversationId === post.conversationId);
  const content = html`<main class="card timeline">
    <p class="stage"><a href="/x-web/${account.username}">← @${account.username}</a> · stands in for x.com</p>
    ${threadMarkup(x, account, thread, post.id)}
  </main>`;
  return layout({ title: `${account.name} on the X sandbox`, content });
}

export function nothingHerePage(): Markup {
  const content = html`<main class="card consent">
    <p class="stage"><a href="/">Sandbox</a> · stands in for x.com</p>
    <h1>Hmm … this page doesn’t exist.</h1>
    <p>This account or post does not exist or was deleted.</p>
  </main>`;
  return layout({ title: 'Nothing here · X sandbox', content });
}

function threadMarkup(x: X, account: XAccount, thread: Thread, highlighted?: string): Markup {
  return html`<section class="thread">
    ${thread.map((post) => postMarkup(x, account, post, post.id === highlighted))}
  </section>`;
}

function postMarkup(x: X, account: XAccount, post: XPost, isHighlighted: boolean): Markup {
  return html`<article class="post ${isHighlighted && 'highlighted'}" id="p${post.id}">
    <img src="/x-web/i/avatars/${account.username}.svg" alt="" width="44" height="44" />
    <div>
      <p class="byline">
        <strong>${account.name}</strong> <span class="quiet">@${account.username} ·</span>
        <a class="quiet" href="/x-web/${account.username}/status/${post.id}">
          <time datetime="${post.createdAt}" title="${post.createdAt}"
            >${ago(post.createdAt, x.clock.now())}</time
          >
        </a>
      </p>
      ${post.text !== '' && html`<p class="text">${textMarkup(post)}</p>`} ${mediaMarkup(x, post)}
    </div>
  </article>`;
}

/** Links point to their displayed address; everything else is escaped text. */
function textMarkup(post: XPost): Markup[] {
  const pieces: Markup[] = [];
  let from = 0;
  for (const link of linksIn(post.id, post.text)) {
    const shown = post.text.slice(link.start, link.end);
    pieces.push(html`${post.text.slice(from, link.start)}`);
    pieces.push(html`<a href="${link.expandedUrl}" rel="noreferrer nofollow">${shown}</a>`);
    from = link.end;
  }
  return [...pieces, html`${post.text.slice(from)}`];
}
