import { randomUUIDv7 } from 'node:crypto';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { BrandNotFound, eventContext, ScopeIsMissing } from '#libs/auth';
import type { Instant, Platform } from '#libs/content';
import { Database } from '#libs/database';
import { GetBrand } from '../../brands/index.js';
import type { WrittenPost } from '../views/post-item.js';
import type { PostContent } from '../domain/post.events.js';
import { BrandHasMoved } from '../domain/reference.errors.js';
import { mediaCountsOf } from '../domain/media-uses.js';
import { noPost } from '../domain/post.js';
import { actorOf, requiredScopes } from './posts.access.js';
import { blockersIn, preflight } from '../content/content-preflight.js';
import { ContentReferences } from '../content/content-references.js';
import { writtenPostOf, Posts } from '../posts.stream.js';
import { PostsThreads } from './posts.threads.js';
import { draft, suggest } from '../domain/writing.js';

export interface PostToCreate {
  readonly brandId: string;
  readonly platform: Platform;
  readonly content: PostContent;
  /** null: no thread. Without an id it starts a thread, without a position it appends to one. */
  readonly thread: { readonly id?: string; readonly position?: number } | null;
  readonly scheduledAt: Instant | null;
  /** A person can ask for approval, too. */
  readonly isSuggestion: boolean;
  readonly caller: Caller;
}

/** @throws BrandNotFound, ScopeIsMissing, ReferenceIsNotFound, MediaIsNotReady, BrandHasMoved, the errors of the decision and of the thread */
export class CreatePost extends Command<WrittenPost> {
  constructor(readonly request: PostToCreate) {
    super();
  }
}

@CommandHandler(CreatePost)
export class CreatePostHandler implements ICommandHandler<CreatePost> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly references: ContentReferences,
    private readonly threads: PostsThreads,
    private readonly posts: Posts,
  ) {}

  async execute({ request: post }: CreatePost): Promise<WrittenPost> {
    const { brandId, platform, content, scheduledAt, caller } = post;
    const isSuggestion = post.isSuggestion || caller.isAutomation;
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    mustMay(caller, { organizationId, brandId }, scheduledAt !== null && !isSuggestion);
    const files = await this.references.check(brandId, content);
    const findings = preflight(platform, content, files);
    const checked = { blockers: blockersIn(findings), media: mediaCountsOf(files) };
    const by = actorOf(caller);
    const written = { postId: randomUUIDv7(), brandId, platform, content, ...checked, scheduledAt, by };
    const write = isSuggestion ? suggest : draft;
    const context = eventContext(caller, { organizationId, brandId });
    const created = await this.threads.createPart(post, (thread) =>
      this.database.transaction(async () => {
        const decide = (now: Instant) => write({ ...written, thread }, now)(noPost);
        const stored = await this.posts.create(written.postId, decide, context);
        await this.mustStillBelong({ organizationId, brandId }, caller);
        return stored;
      }),
    );
    return { ...writtenPostOf(created, organizationId), findings };
  }

  /**
   * Locks the brand's row, so that no transfer commits before this transaction ends. Runs after the append, which must be
   * the first write of the transaction.
   * @throws BrandNotFound for a caller without access to the new organization; BrandHasMoved
   */
  private async mustStillBelong(owner: { organizationId: string; brandId: string }, caller: Caller) {
    const { brandId } = owner;
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId, held: true }));
    if (organizationId === owner.organizationId) return;
    caller.must('posts.write', { organizationId, brandId }, () => new BrandNotFound());
    throw new BrandHasMoved();
  }
}

function mustMay(
  caller: Caller,
  owner: { organizationId: string; brandId: string },
  setsTime: boolean,
): void {
  const scopes = requiredScopes({ setsTime });
  caller.must('posts.write', owner, () => new BrandNotFound());
  if (scopes.some((scope) => caller.may(scope, owner) !== 'yes')) throw new ScopeIsMissing(scopes);
}
