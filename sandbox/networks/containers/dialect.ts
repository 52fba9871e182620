import type { Call } from '../../wire/call.js';
import type { GraphProblem } from '../graph/graph-problems.js';
import type { FetchProblem } from '../kit/media/fetched-media.js';
import type { MediaContent, MediaProblem } from '../kit/media/media-content.js';
import type { ImageLimits } from '../kit/media/read-media.js';
import type { VideoLimits } from '../kit/media/video-shape.js';
import { amount, choice, optional, type Settings, type SettingsOf } from '../kit/state/members.js';
import type { SandboxPost } from '../kit/state/accounts.js';

export type MediaType = 'TEXT' | 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL';

/** What a container is made of, as the call names it. */
export interface ContainerDraft {
  readonly mediaType: MediaType;
  /** The file of the container; null: it has none. */
  readonly source: { readonly kind: 'image' | 'video'; readonly address: string } | null;
  /** Part of a carousel: it cannot be published by itself. */
  readonly isItem: boolean;
  readonly text: string;
  readonly altText: string | null;
  readonly children: readonly string[];
  readonly replyTo: string | null;
  readonly link: string | null;
  /** Further choices, as the timeline shows them. */
  readonly notes: readonly string[];
  readonly madeWithAi?: boolean;
}

/** Instants in epoch milliseconds. */
export interface Container extends ContainerDraft {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** null: the container has no file, or it could not be used. */
  readonly content: MediaContent | null;
  /** Why it failed, in the network's words; null: it did not. */
  readonly error: string | null;
  /** Questions for its state that are still answered with IN_PROGRESS. */
  readonly pollsLeft: number;
  readonly postId: string | null;
}

type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

/** @param lifeSeconds of a container that is not published */
export function stateOf(container: Container, now: number, lifeSeconds: number): ContainerState {
  if (container.postId !== null) return 'PUBLISHED';
  if (container.createdAt + lifeSeconds * 1000 <= now) return 'EXPIRED';
  if (container.pollsLeft > 0) return 'IN_PROGRESS';
  return container.error === null ? 'FINISHED' : 'ERROR';
}

export interface ContainerPost extends SandboxPost {
  readonly mediaType: MediaType;
  readonly inReplyTo: string | null;
  /** The post that the thread began with. */
  readonly rootId: string;
  readonly link: string | null;
  readonly notes: readonly string[];
  readonly madeWithAi?: boolean;
}

/** What a container network does by default and a test may change. @param quotaTotal posts of one account in 24 hours */
export const containerSettings = (quotaTotal: number) => ({
  /** Questions for the state of a new container that are answered with IN_PROGRESS. */
  inProgressAnswers: amount(0, 1_000_000),
  /** The reason with which every new container fails; null: none. */
  containerError: optional(/^[A-Za-z0-9_:. ]{1,120}$/, '1 to 120 letters, digits or underscores'),
  containerLifeSeconds: amount(86_400),
  quotaTotal: amount(quotaTotal, 1_000_000),
  /** Of the budget of calls, in percent, as the usage header states; calls are refused above 100. */
  usagePercent: amount(1, 1_000),
  /** How old a token must be to be exchanged for a newer one. */
  refreshAfterSeconds: amount(86_400),
  longTokenSeconds: amount(5_184_000),
  /** The form of the answer to a code: fields, or a list of one element. */
  tokenForm: choice('flat', 'list'),
  /** Whether lists show a post at once, or never. */
  lists: choice('complete', 'empty'),
});
export type ContainerSettings = SettingsOf<ReturnType<typeof containerSettings>>;

/** What differs between the networks that publish containers. */
export interface ContainerDialect {
  readonly network: string;
  readonly displayName: string;
  readonly site: string;
  readonly tokenPrefix: string;
  /** Prefix of grant types. */
  readonly grantPrefix: 'ig' | 'th';
  readonly textField: 'caption' | 'text';
  readonly scopes: Readonly<Record<string, string>>;
  /** Whether responses with tokens name what the person allowed. */
  readonly namesPermissions: boolean;
  readonly publishScope: string;
  readonly settings: Settings<ContainerSettings>;
  /** Below an account. */
  readonly paths: { readonly containers: string; readonly publish: string; readonly quota: string };
  /** Lists of posts below an account, by the media types that they show. */
  readonly lists: Readonly<Record<string, (post: ContainerPost) => boolean>>;
  readonly children: { readonly min: number; readonly max: number };
  readonly image: (type: MediaType) => ImageLimits;
  readonly video: (type: MediaType) => VideoLimits;

  draftIn(call: Call): ContainerDraft;
  containerView(container: Container, state: ContainerState): Readonly<Record<string, string>>;
  postView(post: ContainerPost): Readonly<Record<string, unknown>>;
  /** Of the person's pages, such as `/p/abc/`. */
  postPath(post: ContainerPost, username: string): string;

  /** A picture is fetched while its container is created. */
  notFetched(problem: FetchProblem): GraphProblem;
  refusedImage(problem: MediaProblem): GraphProblem;
  /** A video is fetched later; the container fails with this reason. */
  videoError(problem: MediaProblem | FetchProblem): string;
  readonly quotaProblem: GraphProblem;
  readonly suspendedProblem: GraphProblem;
  /** Of the call that publishes. */
  notReady(id: string): GraphProblem;
  notFound(id: string): GraphProblem;
  expired(id: string): GraphProblem;
}
