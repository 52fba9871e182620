import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, BrandId, Caller, CurrentCaller } from '#libs/auth';
import { IfMatch, ParseIdPipe } from '#libs/http';
import {
  ApprovePost,
  changesIn,
  RejectPost,
  ReschedulePost,
  ResolveDelivery,
  RetryPost,
  UpdatePost,
} from '../../posts/index.js';
import { ChangedItemDto, ContentItemDto, withApprovalBasis } from './dto/content-item.dto.js';
import {
  DecideDto,
  EditItemDto,
  instantIn,
  RescheduleDto,
  resolutionIn,
  ResolveDto,
} from './dto/change-item.dto.js';
import { ItemAction, ItemChange, ItemRead } from './operation.js';
import { Items } from './items.js';

const writes = ['posts.write'];
const schedules = ['posts.write', 'calendar.write'];

@ApiTags('Content Ops')
@AcceptsApiKey()
@Controller('api/content-ops/items/:contentId')
export class ItemsController {
  constructor(private readonly items: Items) {}

  @Get()
  @ItemRead({
    summary: 'One content item',
    description: 'All there is to know about it, whether it is in the queue or not, and what may be done.',
    scopes: ['posts.read'],
    answers: ContentItemDto,
  })
  getContentItem(
    @Param('contentId', ParseIdPipe) contentId: string,
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
  ): Promise<ContentItemDto> {
    return this.items.read({ contentId, caller, brandId });
  }

  @Patch()
  @ItemChange({
    summary: 'Edit content',
    description:
      'Changes the members that are sent. If a person edits approved text, it stays approved in the name of that person; if an automation edits it, it is pending again.',
    scopes: writes,
    body: EditItemDto,
  })
  editContentItem(
    @Param('contentId', ParseIdPipe) contentId: string,
    @Body() body: EditItemDto,
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
    @IfMatch() ifVersion?: number,
  ): Promise<ChangedItemDto> {
    const edit = { postId: contentId, changes: changesIn(body), caller, ifVersion };
    return this.items.change({ contentId, caller, brandId }, new UpdatePost(edit));
  }

  @Post('approve')
  @ItemAction({
    summary: 'Approve a suggestion',
    description:
      'Schedules the item if its proposed time is in the future; otherwise it needs a time. Send `If-Match` to approve exactly the version that was read. Without it the approval covers what is stored when it is decided: `approval.version` names that version, `approval.basis` is `stored`, and the warning `approved_as_stored` says so. Approving twice changes nothing.',
    scopes: writes,
    alsoNeeds:
      'approving a suggestion whose proposed time is in the future schedules it, which also needs `calendar.write`',
    body: DecideDto,
    bodyIsOptional: true,
  })
  approveContentItem(
    @Param('contentId', ParseIdPipe) contentId: string,
    @Body() { reason }: DecideDto,
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
    @IfMatch() ifVersion?: number,
  ): Promise<ChangedItemDto> {
    const approval = { postId: contentId, caller, reason, ifVersion };
    return this.items
      .change({ contentId, caller, brandId }, new ApprovePost(approval))
      .then(withApprovalBasis);
  }

  @Post('reject')
  @ItemAction({
    summary: 'Reject a suggestion',
    description:
      'It leaves the queue; editing it makes it wait for approval again. Rejecting twice changes nothing.',
    scopes: writes,
    body: DecideDto,
    bodyIsOptional: true,
  })
  rejectContentItem(
    @Param('contentId', ParseIdPipe) contentId: string,
    @Body() { reason }: DecideDto,
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
    @IfMatch() ifVersion?: number,
  ): Promise<ChangedItemDto> {
    const rejection = { postId: contentId, caller, reason, ifVersion };
    return this.items.change({ contentId, caller, brandId }, new RejectPost(rejection));
  }

  @Post('reschedule')
  @ItemAction({
    summary: 'Give it another time',
    description: 'For scheduled and failed items and for approved ones without a time. Clears a failure.',
    scopes: schedules,
    body: RescheduleDto,
  })
  rescheduleContentItem(
    @Param('contentId', ParseIdPipe) contentId: string,
    @Body() body: RescheduleDto,
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
    @IfMatch() ifVersion?: number,
  ): Promise<ChangedItemDto> {
    const move = { postId: contentId, scheduledAt: instantIn(body), caller, ifVersion };
    return this.items.change({ contentId, caller, brandId }, new ReschedulePost(move));
  }

  @Post('retry')
  @ItemAction({
    summary: 'Retry a failed publish',
    description:
      'It is due again at once. Refused (409) while its delivery is in doubt: resolve that first. Retrying twice changes nothing.',
    scopes: schedules,
    body: DecideDto,
    bodyIsOptional: true,
  })
  retryContentItem(
    @Param('contentId', ParseIdPipe) contentId: string,
    @Body() { reason }: DecideDto,
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
    @IfMatch() ifVersion?: number,
  ): Promise<ChangedItemDto> {
    const again = { postId: contentId, caller, reason, ifVersion };
    return this.items.change({ contentId, caller, brandId }, new RetryPost(again));
  }

  @Post('resolve')
  @ItemAction({
    summary: 'Settle a delivery in doubt',
    description:
      'Say what you found on the network: it is there (published, with its id there), or it is not (failed, and may be retried). Refused (409 `platform_post_id_taken`) when another post has that id already; `otherPostId` names it where you may see it.',
    scopes: writes,
    body: ResolveDto,
  })
  resolveContentItem(
    @Param('contentId', ParseIdPipe) contentId: string,
    @Body() body: ResolveDto,
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
    @IfMatch() ifVersion?: number,
  ): Promise<ChangedItemDto> {
    const settled = { postId: contentId, resolution: resolutionIn(body), caller, ifVersion };
    return this.items.change({ contentId, caller, brandId }, new ResolveDelivery(settled));
  }
}
