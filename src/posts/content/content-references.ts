import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsConnectionOfBrand } from '../../integrations/index.js';
import { ReferenceIsNotFound } from '../domain/reference.errors.js';
import type { PostContent } from '../domain/post.events.js';

type Referencing = Pick<PostContent, 'mediaIds' | 'target'>;

/** Checks the ids in a content: a post can only refer to things of its brand. */
@Injectable()
export class ContentReferences {
  constructor(private readonly queries: QueryBus) {}

  /**
   * @param before ids that the post already has stay allowed, even if they no longer exist
   * @throws ReferenceIsNotFound with every id that does not exist in the brand
   */
  async mustExist(brandId: string, content: Referencing, before: Referencing | null = null): Promise<void> {
    const missing = [...(await this.connection(brandId, content, before)), ...media(content, before)];
    if (missing.length > 0) throw new ReferenceIsNotFound(missing);
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

/** This release has no media library: no media id exists. */
const media = ({ mediaIds }: Referencing, before: Referencing | null): string[] =>
  mediaIds.flatMap((id, index) => (before?.mediaIds.includes(id) ? [] : [`#/mediaIds/${index}`]));
