import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ApprovePostHandler, RejectPostHandler } from './commands/approvals.js';
import { BrandPosts } from './commands/brand-posts.js';
import { CreatePostHandler } from './commands/create-post.js';
import { CreatePostsHandler } from './commands/create-posts.js';
import { DeletePostHandler, ReschedulePostHandler, RetryPostHandler } from './commands/scheduling.js';
import { ResolveDeliveryHandler } from './commands/resolve-delivery.js';
import { UpdatePostHandler } from './commands/update-post.js';
import { PostsWorkerModule } from './posts-worker.module.js';
import { PostsAccess } from './commands/posts.access.js';
import { RequestRenditionHandler } from './commands/request-rendition.js';
import { BatchController } from './http/batch.controller.js';
import { MediaRenditionsController } from './http/media-renditions.controller.js';
import { PostsController } from './http/posts.controller.js';
import { PostsDestinations } from './content/posts.destinations.js';
import { GetPostHandler, PresentWrittenPostHandler, ShownPosts } from './queries/get-post.js';
import { ContentAccounts } from './content/content-accounts.js';
import { ContentReferences } from './content/content-references.js';
import { PreflightRequests } from './content/preflight-requests.js';
import { PostsThreads } from './commands/posts.threads.js';
import { CheckContentHandler, CheckContentsHandler } from './queries/check-contents.js';
import { FindPostWarningsHandler } from './queries/find-post-warnings.js';
import { ListPostsHandler } from './queries/list-posts.js';
import { ListQueueHandler, SummarizeQueueHandler } from './queries/queue.js';

@Module({
  imports: [CqrsModule, PostsWorkerModule],
  controllers: [PostsController, BatchController, MediaRenditionsController],
  providers: [
    PostsAccess,
    BrandPosts,
    PostsDestinations,
    ShownPosts,
    ContentAccounts,
    ContentReferences,
    PreflightRequests,
    PostsThreads,
    CreatePostHandler,
    CreatePostsHandler,
    UpdatePostHandler,
    DeletePostHandler,
    ApprovePostHandler,
    RejectPostHandler,
    ReschedulePostHandler,
    RetryPostHandler,
    ResolveDeliveryHandler,
    RequestRenditionHandler,
    CheckContentHandler,
    CheckContentsHandler,
    GetPostHandler,
    ListPostsHandler,
    ListQueueHandler,
    FindPostWarningsHandler,
    PresentWrittenPostHandler,
    SummarizeQueueHandler,
  ],
  exports: [PostsWorkerModule],
})
export class PostsModule {}
