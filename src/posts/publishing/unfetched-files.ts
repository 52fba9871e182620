import { Injectable, Logger } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AreFilesReadable } from '../../integrations/index.js';
import type { ExistingPost } from '../domain/post.js';
import { PostRenditions } from '../media/post-renditions.js';

/** Whether a network that could not fetch the files of a post is to blame. */
@Injectable()
export class UnfetchedFiles {
  private readonly logger = new Logger(UnfetchedFiles.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly renditions: PostRenditions,
  ) {}

  /** false: the files cannot be read here either, or that cannot be told. Never rejects. */
  async areReadable(post: ExistingPost): Promise<boolean> {
    try {
      const [media] = await this.renditions.of([{ post, account: null }]);
      return (
        media?.readiness.kind === 'ready' && (await this.queries.execute(new AreFilesReadable(media.files)))
      );
    } catch (error) {
      this.logger.warn(error, 'Whether files of a post can be fetched could not be determined.');
      return false;
    }
  }
}
