import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { unknownMedia } from '#libs/content';
import type { MediaFacts } from '#libs/content';
import { IsConnectionOfBrand } from '../../integrations/index.js';
import { MediaIsNotReady, ReferenceIsNotFound } from '../domain/reference.errors.js';
import type { PostContent } from '../domain/post.events.js';
import { keyOf, PostFiles } from '../media/post-files.js';

type Referencing = Pick<PostContent, 'mediaIds' | 'target'>;

/** Checks the ids in a content: a post can only refer to things of its brand. */
@Injectable()
export class ContentReferences {
  constructor(
    private readonly queries: QueryBus,
    private readonly files: PostFiles,
  ) {}

  /**
   * @param before ids that the post already has stay allowed, even if they no longer exist
   * @returns the facts of the files, in their order; of one that no longer exists only the id
   * @throws ReferenceIsNotFound with every id that does not exist in the brand; MediaIsNotReady with every file that is not ready
   */
  async check(
    brandId: string,
    content: Referencing,
    before: Referencing | null = null,
  ): Promise<readonly MediaFacts[]> {
    const { mediaIds } = content;
    const connection = await this.connection(brandId, content, before);
    const found = await this.files.find([{ brandId, mediaIds }]);
    const files = mediaIds.map((id, index) => ({
      file: found.get(keyOf(brandId, id)),
      id,
      pointer: `#/mediaIds/${index}`,
      isNew: !before?.mediaIds.includes(id),
    }));
    const missing = files.filter(({ file, isNew }) => isNew && !file).map(({ pointer }) => pointer);
    if (connection.length + missing.length > 0) throw new ReferenceIsNotFound([...connection, ...missing]);
    const unready = files.filter(({ file, isNew }) => isNew && file?.status !== 'ready');
    if (unready.length > 0) throw new MediaIsNotReady(unready.map(({ pointer }) => pointer));
    return files.map(({ file, id }) => (file?.status === 'ready' ? file : unknownMedia(id)));
  }

  private async connection(
    brandId: string,
    { target }: Referencing,
    before: Referencing | null,
  ): Promise<string[]> {
    const { connectionId } = target;
    if (connectionId === undefined || connectionId === before?.target.connectionId) return [];
    const isThere = await this.queries.execute(new IsConnectionOfBrand({ connectionId, brandId }));
    return isThere ? [] : ['#/target/connectionId'];
  }
}
