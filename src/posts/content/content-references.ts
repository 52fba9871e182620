import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsConnectionOfBrand } from '../../integrations/index.js';
import { ReferenceIsNotFound } from '../domain/reference.errors.js';
import type { PostContent } from '../domain/post.events.js';

type Referencing = Pick<PostContent, 'mediaIds' | 'target'>;

/** Ids in a content, of things elsewhere: a post names only what its brand has. */
@Injectable()
export class ContentReferences {
  constructor(private readonly queries: QueryBus) {}

  /**
   * @param before what the post names already, which stays allowed: it may be gone by now
   * @throws ReferenceIsNotFound with every id that names nothing, or nothing of this brand
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
    const isThere = await this.queries.execute(new IsConnectionOfBrand(connectionId, brandId));
    return isThere ? [] : ['#/target/connectionId'];
  }
}

/** There is no media library in this release: no id names a file. */
const media = ({ mediaIds }: Referencing, before: Referencing | null): string[] =>
  mediaIds.flatMap((id, index) => (before?.mediaIds.includes(id) ? [] : [`#/mediaIds/${index}`]));
