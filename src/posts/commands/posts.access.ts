import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Caller, eventContext, type Scope, ScopeIsMissing } from '#libs/auth';
import type { Instant } from '#libs/content';
import { statement } from '#libs/database';
import { type ChangeOptions, type EventMetadata, type Loaded, StreamNotFound } from '#libs/event-store';
import { DeletePreparations } from '../../integrations/index.js';
import { PostNotFound } from '../domain/post.errors.js';
import type { By, PostEvent } from '../domain/post.events.js';
import { type ExistingPost, mustExist, type Post } from '../domain/post.js';
import { Posts, writtenPostOf } from '../posts.stream.js';
import type { WrittenPost } from '../views/post-item.js';

const ORGANIZATION_OF_POST = statement(
  'organization_of_post',
  `SELECT b.organization_id FROM posts.post_view v JOIN brands.brand_owner b ON b.id = v.brand_id WHERE v.id = $1`,
);

/** A post that the caller has the required scopes for. */
export interface AuthorizedPost {
  readonly from: Loaded<Post>;
  readonly post: ExistingPost;
  /** The present owner of its brand. */
  readonly organizationId: string;
  /** Whether the caller may schedule posts there. */
  readonly maySchedule: boolean;
  readonly context: EventMetadata;
}

export interface PostRequest extends ChangeOptions {
  readonly postId: string;
  readonly caller: Caller;
}

/** `reason` is kept in the audit. */
export interface ReasonedRequest extends PostRequest {
  readonly reason?: string | null;
}

interface PostChange extends PostRequest {
  /** All of them are required. */
  readonly scopes: readonly Scope[];
}

type Decision = (now: Instant) => (post: Post) => PostEvent[];
/** Looks up what the decision needs, for the post as it was read. */
type Prepare = (authorized: AuthorizedPost) => Decision | Promise<Decision>;

/** Access follows the brand of a post, and is read again for each try: a brand can be transferred. */
@Injectable()
export class PostsAccess {
  private readonly logger = new Logger(PostsAccess.name);

  constructor(
    private readonly posts: Posts,
    private readonly commands: CommandBus,
  ) {}

  /** Changes a post and returns it. @throws as `change`; PostNotFound if the decision deletes it */
  async decide(change: PostChange, prepare: Prepare): Promise<WrittenPost> {
    const { changed, basis } = await this.change(change, prepare);
    return writtenPostOf(changed, basis.organizationId);
  }

  /** @throws as `authorize`, VersionIsStale, the errors of `prepare` and of the decision */
  async change({ postId, caller, scopes, ifVersion }: PostChange, prepare: Prepare) {
    const authorize = async () => {
      const authorized = await this.authorize(postId, caller, ...scopes);
      return { ...authorized, decide: await prepare(authorized) };
    };
    const result = await this.posts.changeAs(
      postId,
      authorize,
      ({ from, decide }) => decide(from.now)(from.state),
      { ifVersion },
    );
    const { basis, changed } = result;
    if (basis.post.status === 'scheduled' && changed.state.status !== 'scheduled')
      await this.deletePreparations(postId);
    return result;
  }

  /** @throws PostNotFound also for a post of another organization; ScopeIsMissing if one of the scopes is missing */
  async authorize(postId: string, caller: Caller, ...scopes: Scope[]): Promise<AuthorizedPost> {
    const { loaded: from, value: organizationId } = await this.load(postId);
    const post = mustExist(from.state);
    if (organizationId === null) throw new PostNotFound();
    const owner = { organizationId, brandId: post.brandId };
    for (const scope of scopes) {
      const answer = caller.may(scope, owner);
      if (answer === 'unknown') throw new PostNotFound();
      if (answer === 'forbidden') throw new ScopeIsMissing(scopes);
    }
    const maySchedule = caller.may('calendar.write', owner) === 'yes';
    return { from, post, organizationId, maySchedule, context: eventContext(caller, owner) };
  }

  /** The change is stored already: if this fails, a sweep deletes the preparations later. */
  private async deletePreparations(postId: string): Promise<void> {
    await this.commands
      .execute(new DeletePreparations({ posts: [{ postId, kept: null }] }))
      .catch((error: unknown) => {
        this.logger.error(error, `The preparations of post ${postId} could not be deleted yet.`);
      });
  }

  /** Reads the post and its organization by one statement. */
  private async load(postId: string) {
    try {
      return await this.posts.loadWith<string>(postId, ORGANIZATION_OF_POST);
    } catch (error) {
      throw error instanceof StreamNotFound ? new PostNotFound() : error;
    }
  }
}

/** Identity gives a rotated key the principal id of its predecessor. */
export const actorOf = ({ type, id }: Caller): By => (type === 'api_key' ? keyOf(id) : { type, id });

/** All principals whose credentials the request carries: the actor, and that of an API key beside a bearer. */
export const principalsOf = (caller: Caller): By[] => [
  actorOf(caller),
  ...(caller.apiKeyId === undefined ? [] : [keyOf(caller.apiKeyId)]),
];

const keyOf = (id: string): By => ({ type: 'api_key', id });

/** An automation's time can be a proposal, which needs less: the decision checks that. */
export const requiredScopes = (change: { readonly setsTime: boolean }): Scope[] =>
  change.setsTime ? ['posts.write', 'calendar.write'] : ['posts.write'];
