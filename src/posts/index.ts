export { ApprovePost, RejectPost } from './commands/approvals.js';
export { CreatePost } from './commands/create-post.js';
export { ReschedulePost, RetryPost } from './commands/scheduling.js';
export { ResolveDelivery } from './commands/resolve-delivery.js';
export { UpdatePost } from './commands/update-post.js';
export type { Resolution } from './domain/delivery.js';
export {
  APPROVAL_BASIS,
  APPROVED_VERSION,
  approvedVersionOf,
  BlockerDto,
  PostFileDto,
  RetryingDto,
} from './http/dto/post-parts.dto.js';
export { changesIn, ContentDto } from './http/dto/content.dto.js';
export type { ApprovalDetails, PostDetails } from './views/post-details.js';
export { PostOptionsDto } from './http/dto/options.dto.js';
export type { BlockedBy, PostItem, WrittenPost } from './views/post-item.js';
export type { By } from './domain/post.events.js';
export { type Failure, STATUSES } from './domain/post.js';
export { PostNotFound } from './domain/post.errors.js';
export { NO_CONTENT } from './domain/writing.js';
export { GetPost, PresentWrittenPost } from './queries/get-post.js';
export { ListQueue, type QueueKey, SummarizeQueue } from './queries/queue.js';
export { QUEUE_STATES, type QueueState } from './domain/queue.js';
export type { PostWarning } from './domain/warnings.js';
