import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';

export interface EndMediaUsesRequest {
  readonly postIds: readonly string[];
}

/**
 * These posts are published: their files can be deleted. One statement for all of them; joins the caller's transaction. It refuses
 * nothing, because the outcome of an attempt must be stored in any case.
 */
export class EndMediaUses extends Command<void> {
  constructor(readonly request: EndMediaUsesRequest) {
    super();
  }
}

const END = statement(
  'end_media_uses',
  'UPDATE media.use SET needed = false WHERE post_id = ANY($1::uuid[]) AND needed',
);

@CommandHandler(EndMediaUses)
export class EndMediaUsesHandler implements ICommandHandler<EndMediaUses> {
  constructor(private readonly database: Database) {}

  async execute({ request: { postIds } }: EndMediaUses): Promise<void> {
    await this.database.query(END, [postIds]);
  }
}
