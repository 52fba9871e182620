import { Injectable } from '@nestjs/common';
import { unknownMedia } from '#libs/content';
import type { MediaOfBrand } from '../../media/index.js';
import { blockersIn, missingFiles } from '../content/content-preflight.js';
import type { Blocker } from '../domain/post.events.js';
import { factsOf, keyOf, PostFiles } from '../media/post-files.js';
import { PostRenditions } from '../media/post-renditions.js';
import { contentOf } from '../views/post-details.js';
import type { PostFile, PostInThread, PostItem } from '../views/post-item.js';

/** Posts as their readers see them: with their files, and with what prevents their publication. */
@Injectable()
export class ShownPosts {
  constructor(
    private readonly files: PostFiles,
    private readonly renditions: PostRenditions,
  ) {}

  /** In their order. One query for the files of all posts and one for their renditions; none when no post has files. */
  async of(posts: readonly PostInThread[]): Promise<PostItem[]> {
    const found = await this.files.find(posts);
    const unpublished = posts.filter(({ status }) => status !== 'published');
    const blockers = await this.fileBlockers(unpublished, found);
    const byPost = new Map(unpublished.map((post, index) => [post, blockers[index] ?? []]));
    return posts.map((post) => ({
      ...post,
      media: post.mediaIds.map((id) => shownFile(id, found.get(keyOf(post.brandId, id)))),
      blockers: distinct([...post.blockers, ...(byPost.get(post) ?? [])]),
    }));
  }

  private async fileBlockers(
    posts: readonly PostInThread[],
    found: ReadonlyMap<string, MediaOfBrand>,
  ): Promise<Blocker[][]> {
    const checked = posts.map((post) => ({
      platform: post.platform,
      content: contentOf(post),
      media: factsOf(post, found),
      account: null,
    }));
    const ofRenditions = await this.renditions.findings(checked);
    return checked.map(({ platform, media }, index) =>
      blockersIn([...missingFiles(platform, media), ...(ofRenditions[index] ?? [])]),
    );
  }
}

/** A file that is gone may have been so when the content was written. */
const distinct = (blockers: readonly Blocker[]): Blocker[] => [
  ...new Map(blockers.map((each) => [`${each.ruleId} ${each.pointer}`, each])).values(),
];

const RATIO_DIGITS = 4;

/** @param file undefined if it does not exist */
export function shownFile(id: string, file?: MediaOfBrand): PostFile {
  const { kind, contentType, bytes, width, height, durationMs, altText } = file ?? unknownMedia(id);
  const ratio = width && height ? Number((width / height).toFixed(RATIO_DIGITS)) : null;
  const thumbnailUrl = file?.thumbnailUrl ?? null;
  return { id, kind, contentType, bytes, width, height, ratio, durationMs, altText, thumbnailUrl };
}
