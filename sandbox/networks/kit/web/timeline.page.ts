import { html, type Markup } from '#libs/pages';
import { layout } from '../../../pages/layout.js';
import { ago } from '../../../pages/relative-time.js';
import type { SocialNetwork } from '../network.js';
import type { SandboxAccount, SandboxPost } from '../state/accounts.js';
import type { ShownMedia, ShownPost, Timeline } from './shown-post.js';

const MAX_THREADS = 50;
const REFRESH_SECONDS = 5;
/** Columns of the style sheet; more files have the look of four. */
const MAX_COLUMNS = 4;

type Threads<P> = readonly (readonly P[])[];

const eachAlone = <P>(posts: readonly P[], limit: number): Threads<P> =>
  posts
    .slice(-limit)
    .reverse()
    .map((post) => [post]);

export function timelinePage<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  account: A,
): Markup {
  const posts = network.posts.by(account.id);
  const { threads: grouped = eachAlone } = timeline;
  const threads = grouped(posts, MAX_THREADS).map((thread) =>
    thread.map((post) => timeline.show(post, account)),
  );
  // A page that reloads itself would stop a video that is watched.
  const hasVideo = threads.flat().some(({ media }) => media.some(({ kind }) => kind === 'video'));
  const refreshSeconds = hasVideo ? undefined : REFRESH_SECONDS;
  const refreshes = refreshSeconds !== undefined && html`· refreshes every ${refreshSeconds} s`;
  const badge =
    timeline.isVerified?.(account) === true && html`<span class="badge" title="Verified">✓</span>`;
  const content = html`<main class="card timeline">
    <p class="stage"><a href="/">Sandbox</a> · stands in for ${network.site} ${refreshes}</p>
    <header class="profile">
      <img src="${network.avatarPath(account)}" alt="" width="72" height="72" />
      <div>
        <h1>${account.name} ${badge}</h1>
        <p class="quiet">@${account.username} · ${posts.length} ${posts.length === 1 ? 'post' : 'posts'}</p>
        <p>${account.description}</p>
      </div>
    </header>
    ${threads.length === 0 && html`<p class="empty">Nothing has been published here yet.</p>`}
    ${threads.map((thread) => threadMarkup(network, account, thread))}
  </main>`;
  const title = `${account.name} (@${account.username}) · ${network.displayName} sandbox`;
  return layout({ title, refreshSeconds, content });
}

/** One post with the thread it stands in. */
export function postPage<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  account: A,
  post: P,
): Markup {
  const threads = timeline.threads?.(network.posts.by(account.id), Infinity) ?? [];
  const thread = threads.find((each) => each.some(({ id }) => id === post.id)) ?? [post];
  const content = html`<main class="card timeline">
    <p class="stage">
      <a href="${network.webPath}/${account.username}">← @${account.username}</a> · stands in for
      ${network.site}
    </p>
    ${threadMarkup(
      network,
      account,
      thread.map((each) => timeline.show(each, account)),
      post.id,
    )}
  </main>`;
  return layout({ title: `${account.name} on the ${network.displayName} sandbox`, content });
}

export function nothingHerePage(network: SocialNetwork): Markup {
  const content = html`<main class="card narrow">
    <p class="stage"><a href="/">Sandbox</a> · stands in for ${network.site}</p>
    <h1>Hmm … this page doesn’t exist.</h1>
    <p>This account or post does not exist or was deleted.</p>
  </main>`;
  return layout({ title: `Nothing here · ${network.displayName} sandbox`, content });
}

function threadMarkup(
  network: SocialNetwork,
  account: SandboxAccount,
  thread: readonly ShownPost[],
  highlighted?: string,
): Markup {
  return html`<section class="thread">
    ${thread.map((post) => postMarkup(network, account, post, post.id === highlighted))}
  </section>`;
}

function postMarkup(
  network: SocialNetwork,
  account: SandboxAccount,
  post: ShownPost,
  isHighlighted: boolean,
): Markup {
  const { id, path, createdAt, title, text, media, link, note } = post;
  return html`<article class="post ${isHighlighted && 'highlighted'}" id="p${id}">
    <img src="${network.avatarPath(account)}" alt="" width="44" height="44" />
    <div>
      <p class="byline">
        <strong>${account.name}</strong> <span class="quiet">@${account.username} ·</span>
        <a class="quiet" href="${path}">
          <time datetime="${createdAt}" title="${createdAt}">${ago(createdAt, network.clock.now())}</time>
        </a>
        ${note !== undefined && html`<span class="quiet note">· ${note}</span>`}
      </p>
      ${title !== undefined && html`<p class="text title"><strong>${title}</strong></p>`}
      ${text !== '' && html`<p class="text">${text}</p>`} ${mediaMarkup(network, media)}
      ${
        link !== undefined &&
        html`<p class="link"><a href="${link.href}" rel="noreferrer nofollow">${link.title}</a></p>`
      }
    </div>
  </article>`;
}

function mediaMarkup(network: SocialNetwork, media: readonly ShownMedia[]): Markup | undefined {
  if (media.length === 0) return undefined;
  const columns = Math.min(media.length, MAX_COLUMNS);
  return html`<div class="media media-${columns}">${media.map((file) => fileMarkup(network, file))}</div>`;
}

function fileMarkup(network: SocialNetwork, { id, kind, altText, width, height }: ShownMedia): Markup {
  const address = `${network.webPath}/i/media/${id}`;
  if (kind === 'video')
    return html`<video
      src="${address}"
      width="${width}"
      height="${height}"
      controls
      preload="metadata"
    ></video>`;
  return html`<a href="${address}"
    ><img src="${address}" alt="${altText ?? ''}" width="${width}" height="${height}" loading="lazy"
  /></a>`;
}
