import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { WrittenPost } from '../post-item.js';
import { PostsEditor } from '../posts.editor.js';
import type { ContentChanges } from '../writing.js';

export interface DraftEdit {
  readonly postId: string;
  readonly changes: ContentChanges;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** The content alone; the time stays as it is unless the edit has to be approved again. */
export class EditDraft extends Command<WrittenPost> {
  constructor(readonly edit: DraftEdit) {
    super();
  }
}

@CommandHandler(EditDraft)
export class EditDraftHandler implements ICommandHandler<EditDraft> {
  constructor(private readonly editor: PostsEditor) {}

  execute({ edit }: EditDraft): Promise<WrittenPost> {
    return this.editor.apply(edit);
  }
}
