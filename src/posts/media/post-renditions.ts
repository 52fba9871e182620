import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { DeliveryFile, Finding, MediaFacts, Platform, RenditionSpec } from '#libs/content';
import { type Account, renditionsOf } from '../../integrations/index.js';
import { GetRenditions, PrepareRenditions, type Rendition } from '../../media/index.js';
import { mediaIsMissing, mediaIsUnfit, type MediaReadiness } from '../domain/media-readiness.js';
import type { ExistingPost } from '../domain/post.js';
import { PostFiles } from './post-files.js';

/** The files of a post as its network gets them. */
export interface SendableMedia {
  /** Of the originals, in the order of their ids. */
  readonly facts: readonly MediaFacts[];
  readonly readiness: MediaReadiness;
  /** In the same order; empty unless all are ready. */
  readonly files: readonly DeliveryFile[];
}

type Content = Pick<ExistingPost, 'brandId' | 'platform' | 'content'>;
type Specs = readonly (RenditionSpec | null)[];

export const NO_MEDIA: SendableMedia = { facts: [], readiness: { kind: 'ready' }, files: [] };

/** Renditions of the files of posts, each for the network of its post. */
@Injectable()
export class PostRenditions {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly postFiles: PostFiles,
  ) {}

  /**
   * Has the worker make what is not made yet. Joins the running transaction.
   * @param again also what could not be made before
   */
  async prepare(post: Content, again = false): Promise<void> {
    const { brandId, content } = post;
    const facts = await this.postFiles.of({ brandId, mediaIds: content.mediaIds });
    const files = requestsOf(facts, specsOf(post, facts, null));
    if (files.length > 0) await this.commands.execute(new PrepareRenditions({ files, again }));
  }

  /**
   * What can be sent now of each post, in their order; has the worker make what is missing. Two queries for all posts with
   * files, none without.
   */
  async of(
    posts: readonly { readonly post: Content; readonly account: Account | null }[],
  ): Promise<SendableMedia[]> {
    const facts = await this.postFiles.ofAll(
      posts.map(({ post: { brandId, content } }) => ({ brandId, mediaIds: content.mediaIds })),
    );
    const wanted = posts.map(({ post, account }, index) => {
      const ofPost = facts[index] ?? [];
      return { facts: ofPost, specs: specsOf(post, ofPost, account) };
    });
    const requests = wanted.flatMap(({ facts: ofPost, specs }) => requestsOf(ofPost, specs));
    const made = await this.made(requests);
    return wanted.map(({ facts: ofPost, specs }) => sendable(ofPost, specs, made));
  }

  /**
   * What became of the files of each post, in their order: errors for what could not be made, also while it is tried again on
   * request, and warnings for what is left out. One query; none when no post has files.
   */
  async findings(posts: readonly CheckedFiles[]): Promise<Finding[][]> {
    const wanted = posts.map(({ content, media, account, ...post }) => ({
      ...post,
      media,
      specs: specsOf({ ...post, content }, media, account),
    }));
    const requests = wanted.flatMap(({ media, specs }) => requestsOf(media, specs));
    if (requests.length === 0) return posts.map(() => []);
    const found = await this.queries.execute(new GetRenditions({ files: requests }));
    const made = new Map(requests.map((file, index) => [keyOf(file), found[index] as Rendition]));
    return wanted.map((post) => findingsIn(post, made));
  }

  private async made(files: readonly Request[]): Promise<ReadonlyMap<string, Rendition>> {
    if (files.length === 0) return new Map();
    const found = await this.queries.execute(new GetRenditions({ files }));
    const pending = files.filter((_, index) => found[index]?.kind === 'pending');
    if (pending.length > 0) await this.commands.execute(new PrepareRenditions({ files: pending }));
    return new Map(files.map((file, index) => [keyOf(file), found[index] as Rendition]));
  }
}

export interface CheckedFiles {
  readonly platform: Platform;
  readonly content: ExistingPost['content'];
  /** Of the content, in its order. */
  readonly media: readonly MediaFacts[];
  readonly account: Account | null;
}

interface Request {
  readonly mediaId: string;
  readonly spec: RenditionSpec;
}

const keyOf = ({ mediaId, spec }: Request): string => `${mediaId} ${JSON.stringify(spec)}`;

function specsOf(
  { platform, content: { text, title, link, target, options = {} } }: Pick<Content, 'platform' | 'content'>,
  media: readonly MediaFacts[],
  account: Account | null,
): readonly (RenditionSpec | null)[] {
  if (media.length === 0) return [];
  return renditionsOf(platform, { text, title, link, target, options, media, account });
}

/** Of the files that exist and that the network takes. */
const requestsOf = (facts: readonly MediaFacts[], specs: readonly (RenditionSpec | null)[]): Request[] =>
  facts.flatMap(({ id: mediaId, kind }, index) => {
    const spec = specs[index] ?? null;
    return kind === null || spec === null ? [] : [{ mediaId, spec }];
  });

function findingsIn(
  { platform, media, specs }: Pick<CheckedFiles, 'platform' | 'media'> & { readonly specs: Specs },
  made: ReadonlyMap<string, Rendition>,
): Finding[] {
  return media.flatMap((file, index): Finding[] => {
    const spec = specs[index] ?? null;
    const rendition =
      file.kind === null || spec === null ? undefined : made.get(keyOf({ mediaId: file.id, spec }));
    const pointer = `#/mediaIds/${index}`;
    const failure = rendition && failureIn(rendition);
    if (failure)
      return [{ ruleId: `${platform}.media.unfit`, severity: 'error', message: failure.message, pointer }];
    const message = rendition?.kind === 'ready' ? cutOf(file, rendition.file) : null;
    return message === null
      ? []
      : [{ ruleId: `${platform}.media.shortened`, severity: 'warning', message, pointer }];
  });
}

function failureIn(rendition: Rendition) {
  if (rendition.kind === 'pending') return rendition.lastFailure;
  return rendition.kind === 'failed' ? rendition : null;
}

/** Below, packets do not end at the same time as the video. */
const NOTICED_MS = 100;

/** An edit list can begin between key frames. @returns null when the whole video is sent */
function cutOf({ kind, durationMs }: MediaFacts, made: DeliveryFile): string | null {
  if (kind !== 'video' || durationMs === null || made.durationMs === null) return null;
  if (durationMs - made.durationMs < NOTICED_MS) return null;
  return `The video of ${durationMs} ms is published with ${made.durationMs} ms: it begins between two key frames. Export it again to keep its beginning.`;
}

function sendable(
  facts: readonly MediaFacts[],
  specs: readonly (RenditionSpec | null)[],
  made: ReadonlyMap<string, Rendition>,
): SendableMedia {
  if (facts.length === 0) return NO_MEDIA;
  const requests = requestsOf(facts, specs);
  const renditions = requests.map((request) => made.get(keyOf(request)));
  const files = renditions.flatMap((each) => (each?.kind === 'ready' ? [each.file] : []));
  const readiness = readinessOf(facts, requests, renditions);
  return { facts, readiness, files: readiness.kind === 'ready' ? files : [] };
}

function readinessOf(
  facts: readonly MediaFacts[],
  requests: readonly Request[],
  renditions: readonly (Rendition | undefined)[],
): MediaReadiness {
  if (facts.some(({ kind }) => kind === null)) return { kind: 'unusable', failure: mediaIsMissing };
  if (requests.length < facts.length)
    return { kind: 'unusable', failure: mediaIsUnfit('The network does not take a file of this kind.') };
  const failed = renditions.find((each) => each?.kind === 'failed');
  if (failed?.kind === 'failed') return { kind: 'unusable', failure: failureOf(failed) };
  return { kind: renditions.every((each) => each?.kind === 'ready') ? 'ready' : 'pending' };
}

/** The file may be deleted between the two queries. */
const failureOf = ({ code, message }: Rendition & { readonly kind: 'failed' }) =>
  code === mediaIsMissing.code ? mediaIsMissing : mediaIsUnfit(message);
