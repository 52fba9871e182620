import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type MediaFacts, unknownMedia } from '#libs/content';
import { IsConnectionOfBrand } from '../../integrations/index.js';
import type { MediaOfBrand } from '../../media/index.js';
import { MediaIsNotReady, ReferenceIsNotFound, type UnusableFile } from '../domain/reference.errors.js';
import type { PostContent } from '../domain/post.events.js';
import { keyOf, PostFiles } from '../media/post-files.js';

type Referencing = Pick<PostContent, 'mediaIds' | 'target'>;

/** What the ids in one content refer to. */
interface FoundReferences {
  readonly isConnectionThere: boolean;
  /** In the order of their ids; `file` undefined: it does not exist. */
  readonly files: readonly {
    readonly id: string;
    readonly file: MediaOfBrand | undefined;
    readonly isNew: boolean;
  }[];
}

/** Checks the ids in contents: a post can only refer to things of its brand. */
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
    const [found] = await this.findAll(brandId, [content], before);
    return factsOf(found as FoundReferences);
  }

  /** For each content a function that returns its facts or throws as `check`. One query for all files, one for each connection. */
  async ofAll(brandId: string, contents: readonly Referencing[]): Promise<(() => readonly MediaFacts[])[]> {
    const found = await this.findAll(brandId, contents, null);
    return found.map((references) => () => factsOf(references));
  }

  private async findAll(
    brandId: string,
    contents: readonly Referencing[],
    before: Referencing | null,
  ): Promise<FoundReferences[]> {
    const missing = await this.missingConnections(brandId, contents, before);
    const mediaIds = [...new Set(contents.flatMap((content) => content.mediaIds))];
    const found = await this.files.find([{ brandId, mediaIds }]);
    return contents.map(({ mediaIds: ids, target: { connectionId } }) => ({
      isConnectionThere: connectionId === undefined || !missing.has(connectionId),
      files: ids.map((id) => ({
        id,
        file: found.get(keyOf(brandId, id)),
        isNew: !before?.mediaIds.includes(id),
      })),
    }));
  }

  private async missingConnections(
    brandId: string,
    contents: readonly Referencing[],
    before: Referencing | null,
  ): Promise<ReadonlySet<string>> {
    const named = contents.flatMap(({ target: { connectionId } }) => connectionId ?? []);
    const isNew = (connectionId: string) => connectionId !== before?.target.connectionId;
    const missing = new Set<string>();
    for (const connectionId of new Set(named.filter(isNew))) {
      const isThere = await this.queries.execute(new IsConnectionOfBrand({ connectionId, brandId }));
      if (!isThere) missing.add(connectionId);
    }
    return missing;
  }
}

/** @throws ReferenceIsNotFound, MediaIsNotReady */
function factsOf({ isConnectionThere, files }: FoundReferences): readonly MediaFacts[] {
  const wrong = (isWrong: (file: FoundReferences['files'][number]) => boolean) =>
    files.flatMap((file, index) => (isWrong(file) ? [{ ...file, pointer: `#/mediaIds/${index}` }] : []));
  const missing = [
    ...(isConnectionThere ? [] : ['#/target/connectionId']),
    ...wrong(({ file, isNew }) => isNew && !file).map(({ pointer }) => pointer),
  ];
  if (missing.length > 0) throw new ReferenceIsNotFound(missing);
  const unready = wrong(({ file, isNew }) => isNew && file?.status !== 'ready');
  if (unready.length > 0) throw new MediaIsNotReady(unready.map(unusable));
  return files.map(({ file, id }) => (file?.isInspected ? file : unknownMedia(id)));
}

const unusable = ({
  pointer,
  file,
}: {
  readonly pointer: string;
  readonly file: MediaOfBrand | undefined;
}): UnusableFile => ({ pointer, rejection: file?.rejection?.message ?? null });
