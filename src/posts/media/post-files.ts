import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type MediaFacts, unknownMedia } from '#libs/content';
import { FindMedia, type MediaOfBrand } from '../../media/index.js';

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
   * The facts of the files of each post, in the order of their ids. Of a file that does not exist in the brand, or never was
   * ready, nothing but the id is known: its kind is null. One query; none when no post has files.
   */
  async ofAll(posts: readonly FilesOfPost[]): Promise<(readonly MediaFacts[])[]> {
    const found = await this.find(posts);
    return posts.map((post) => factsOf(post, found));
  }

  /** By `keyOf`; with files that are not ready. */
  async find(posts: readonly FilesOfPost[]): Promise<ReadonlyMap<string, MediaOfBrand>> {
    const files = posts.flatMap(({ brandId, mediaIds }) => mediaIds.map((mediaId) => ({ brandId, mediaId })));
    if (files.length === 0) return new Map();
    const found = await this.queries.execute(new FindMedia({ files }));
    return new Map(found.map((file) => [keyOf(file.brandId, file.id), file]));
  }
}

/** @param found files by `keyOf` */
export const factsOf = (
  { brandId, mediaIds }: FilesOfPost,
  found: ReadonlyMap<string, MediaOfBrand>,
): MediaFacts[] =>
  mediaIds.map((id) => {
    const file = found.get(keyOf(brandId, id));
    return file?.isInspected ? file : unknownMedia(id);
  });

export const keyOf = (brandId: string, mediaId: string): string => `${brandId}/${mediaId}`;
