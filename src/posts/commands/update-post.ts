import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { PostDetails } from '../post-details.js';
import type { PostUpdate } from '../posts.editor.js';
import { PostsEditor } from '../posts.editor.js';

/** Text, target and time of what is not published. A person's time takes calendar.write too. */
export class UpdatePost extends Command<PostDetails> {
  constructor(readonly update: PostUpdate) {
    super();
  }
}

@CommandHandler(UpdatePost)
export class UpdatePostHandler implements ICommandHandler<UpdatePost> {
  constructor(private readonly editor: PostsEditor) {}

  execute({ update }: UpdatePost): Promise<PostDetails> {
    return this.editor.apply(update);
  }
}
