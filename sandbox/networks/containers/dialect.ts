import type { Call } from '../../wire/call.js';
import type { GraphProblem } from '../graph/graph-problems.js';
import type { FetchProblem } from '../kit/media/fetched-media.js';
import type { MediaProblem } from '../kit/media/media-content.js';
import type { ImageLimits } from '../kit/media/read-image.js';
import type { VideoLimits } from '../kit/media/video-shape.js';
import type { Container, ContainerDraft, ContainerPost, ContainerState, MediaType } from './container.js';
import type { ContainerSettings } from './container-settings.js';

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
  /** Needed to publish. */
  readonly publishScope: string;
  readonly settings: ContainerSettings;
  /** Below an account. */
  readonly paths: { readonly containers: string; readonly publish: string; readonly quota: string };
  /** Lists of posts below an account, by the media types that they show. */
  readonly lists: Readonly<Record<string, (post: ContainerPost) => boolean>>;
  readonly children: { readonly min: number; readonly max: number };
  readonly image: (type: MediaType) => ImageLimits;
  readonly video: (type: MediaType) => VideoLimits;

  /** What the call asks for. @throws ContainerIsRefused */
  draftIn(call: Call): ContainerDraft;
  /** The answer to a question for a container. */
  containerView(container: Container, state: ContainerState): Readonly<Record<string, string>>;
  postView(post: ContainerPost): Readonly<Record<string, unknown>>;
  /** Of the person's pages, such as `/p/abc/`. */
  postPath(post: ContainerPost, username: string): string;

  /** A picture is fetched while its container is created. */
  notFetched(problem: FetchProblem): GraphProblem;
  /** A picture that is none, or that the network does not take. */
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

/** The network does not create such a container. */
export class ContainerIsRefused extends Error {
  override name = 'ContainerIsRefused';

  constructor(readonly problem: GraphProblem) {
    super(problem.message);
  }
}
