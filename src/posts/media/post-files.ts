import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { unknownMedia } from '#libs/content';
import type { MediaFacts } from '#libs/content';
import type { MediaOfBrand } from '../../media/index.js';
import { FindMedia } from '../../media/index.js';
import type { PostFile } from '../views/post-item.js';

export interface FilesOfPost {
  readonly brandId: string;
  readonly mediaIds: readonly string[];
}

/** The files of posts, as the media library has them. */
@Injectable()
export class PostFiles {
  constructor(private readonly queries: QueryBus) {}

  /** The facts of the files of one content, in their order; see `ofAll`. */
  async of(files: FilesOfPost): Promise<readonly MediaFacts[]> {
    return (await this.ofAll([files]))[0] ?? [];
  }

  /**
   * The facts of the files of each post, in the order of their ids. Of a file that does not exist in the brand, or is not ready,
   * nothing but the id is known: its kind is null. One query; none when no post has files.
   */
  async ofAll(posts: readonly FilesOfPost[]): Promise<(readonly MediaFacts[])[]> {
    const found = await this.find(posts);
    return posts.map(({ brandId, mediaIds }) =>
      mediaIds.map((id) => {
        const file = found.get(keyOf(brandId, id));
        return file?.status === 'ready' ? file : unknownMedia(id);
      }),
    );
  }

  /** Adds the files of each post, in the order of their ids, as its readers see them. One query; none when no post has files. */
  async shown<Post extends FilesOfPost>(
    posts: readonly Post[],
  ): Promise<(Post & { media: readonly PostFile[] })[]> {
    const found = await this.find(posts);
    return posts.map((post) => ({
      ...post,
      media: post.mediaIds.map((id) => shownFile(id, found.get(keyOf(post.brandId, id)))),
    }));
  }

  /** By `keyOf`; with files that are not ready. */
  async find(posts: readonly FilesOfPost[]): Promise<ReadonlyMap<string, MediaOfBrand>> {
    const files = posts.flatMap(({ brandId, mediaIds }) => mediaIds.map((mediaId) => ({ brandId, mediaId })));
    if (files.length === 0) return new Map();
    const found = await this.queries.execute(new FindMedia({ files }));
    return new Map(found.map((file) => [keyOf(file.brandId, file.id), file]));
  }
}

export const keyOf = (brandId: string, mediaId: string): string => `${brandId}/${mediaId}`;

const RATIO_DIGITS = 4;

/** @param file undefined if it does not exist */
export function shownFile(id: string, file?: MediaOfBrand): PostFile {
  const { kind, contentType, bytes, width, height, durationMs, altText } = file ?? unknownMedia(id);
  const ratio = width && height ? Number((width / height).toFixed(RATIO_DIGITS)) : null;
  const thumbnailUrl = file?.thumbnailUrl ?? null;
  return { id, kind, contentType, bytes, width, height, ratio, durationMs, altText, thumbnailUrl };
}
