import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { WrittenPost } from '../post-item.js';
import type { PostUpdate } from '../posts.editor.js';
import { PostsEditor } from '../posts.editor.js';

/** Text, target and time of what is not published. A time takes calendar.write too, a proposed one does not. */
export class UpdatePost extends Command<WrittenPost> {
  constructor(readonly update: PostUpdate) {
    super();
  }
}

@CommandHandler(UpdatePost)
export class UpdatePostHandler implements ICommandHandler<UpdatePost> {
  constructor(private readonly editor: PostsEditor) {}

  execute({ update }: UpdatePost): Promise<WrittenPost> {
    return this.editor.apply(update);
  }
}
