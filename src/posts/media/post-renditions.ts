import { Injectable } from '@nestjs/common';
import type { MediaFacts } from '#libs/content';
import type { DeliveryFile } from '../../integrations/index.js';
import type { MediaReadiness } from '../domain/media-readiness.js';
import { mediaIsMissing } from '../domain/media-readiness.js';
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

export const NO_MEDIA: SendableMedia = { facts: [], readiness: { kind: 'ready' }, files: [] };

/** Renditions of the files of posts, each for the network of its post. */
@Injectable()
export class PostRenditions {
  constructor(private readonly postFiles: PostFiles) {}

  /** What can be sent now of each post, in their order. Renditions do not exist yet. */
  async of(posts: readonly { readonly post: Content }[]): Promise<SendableMedia[]> {
    const files = posts.map(({ post: { brandId, content } }) => ({ brandId, mediaIds: content.mediaIds }));
    return (await this.postFiles.ofAll(files)).map((facts) => {
      if (facts.length === 0) return NO_MEDIA;
      const isMissing = facts.some(({ kind }) => kind === null);
      const readiness = isMissing
        ? ({ kind: 'unusable', failure: mediaIsMissing } as const)
        : ({ kind: 'ready' } as const);
      return { facts, readiness, files: [] };
    });
  }
}
