import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { eventContext, ScopeIsMissing } from '#libs/auth';
import type { Instant } from '#libs/content';
import { statement } from '#libs/database';
import { StreamNotFound } from '#libs/event-store';
import { ForgetPreparations } from '../../integrations/index.js';
import { PostNotFound } from '../domain/post.errors.js';
import type { WrittenPost } from '../views/post-item.js';
import type { By, PostEvent } from '../domain/post.events.js';
import type { Post } from '../domain/post.js';
import { mustExist } from '../domain/post.js';
import type { AuthorizedPost } from '../posts.stream.js';
import { writtenPostOf, Posts } from '../posts.stream.js';

const ORGANIZATION_OF_POST = statement(
  'organization_of_post',
  `SELECT b.organization_id FROM posts.post_view v JOIN brands.brand_view b ON b.id = v.brand_id WHERE v.id = $1`,
);

export interface PostChange {
  readonly postId: string;
  readonly caller: Caller;
  /** All of them are needed. */
  readonly scopes: readonly Scope[];
  readonly ifVersion?: number;
}

type Decision = (now: Instant) => (post: Post) => PostEvent[];
/** Whatever has to be looked up for the decision, on the post as it was read. */
type Prepare = (reached: AuthorizedPost) => Decision | Promise<Decision>;

/** Whose post it is follows its brand, asked anew every time: a brand may have moved. */
@Injectable()
export class PostsAccess {
  private readonly logger = new Logger(PostsAccess.name);

  constructor(
    private readonly posts: Posts,
    private readonly commands: CommandBus,
  ) {}

  /** `change`, answered as readers would see the post. @throws PostNotFound also when it is gone afterwards */
  async decide(change: PostChange, prepare: Prepare): Promise<WrittenPost> {
    const { changed, organizationId } = await this.change(change, prepare);
    return writtenPostOf(changed, organizationId);
  }

  /**
   * When somebody was faster, the post is reached again for the next try, so that nothing decided anew slips in behind
   * the transfer of its brand.
   * @throws as `reach`, VersionIsStale, whatever `prepare` and the decision throw
   */
  async change({ postId, caller, scopes, ifVersion }: PostChange, prepare: Prepare) {
    let reached!: AuthorizedPost;
    let decision!: Decision;
    const load = async () => {
      reached = await this.authorize(postId, caller, ...scopes);
      decision = await prepare(reached);
      return reached.from;
    };
    const context = () => reached.context;
    const changed = await this.posts.change(postId, (now) => decision(now), context, { ifVersion, load });
    if (reached.post.status === 'scheduled' && changed.state.status !== 'scheduled')
      await this.deletePreparations(postId);
    return { changed, organizationId: reached.organizationId };
  }

  /** @throws PostNotFound also when it is none of the caller's; ScopeIsMissing when one of the scopes is. */
  async authorize(postId: string, caller: Caller, ...scopes: Scope[]): Promise<AuthorizedPost> {
    const { loaded: from, value: organizationId } = await this.load(postId);
    const post = mustExist(from.state);
    if (organizationId === null) throw new PostNotFound();
    const place = { organizationId, brandId: post.brandId };
    for (const scope of scopes) {
      const answer = caller.may(scope, place);
      if (answer === 'unknown') throw new PostNotFound();
      if (answer === 'forbidden') throw new ScopeIsMissing(scopes);
    }
    const maySchedule = caller.may('calendar.write', place) === 'yes';
    return { post, organizationId, maySchedule, context: eventContext(caller, place), from };
  }

  /** What was prepared of a post that is not to be published. The change is stored: should this fail, a sweep erases it later. */
  private async deletePreparations(postId: string): Promise<void> {
    await this.commands.execute(new ForgetPreparations([{ postId, kept: null }])).catch((error: unknown) => {
      this.logger.error(error, `What was prepared of post ${postId} could not be deleted yet.`);
    });
  }

  /** The post and its organization by one statement. */
  private async load(postId: string) {
    try {
      return await this.posts.loadWith<string>(postId, ORGANIZATION_OF_POST);
    } catch (error) {
      throw error instanceof StreamNotFound ? new PostNotFound() : error;
    }
  }
}

export const actorOf = (caller: Caller): By => ({ type: caller.type, id: caller.id });

/** What setting a post's time takes. A program's may be a proposal, which takes less: the decision tells. */
export const requiredScopes = (change: { readonly setsTime: boolean }): Scope[] =>
  change.setsTime ? ['posts.write', 'calendar.write'] : ['posts.write'];
