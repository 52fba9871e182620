import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { DeliveryFile, Platform, PostOptions } from '#libs/content';
import { RequestCommand } from '#libs/messages';
import { renditionsOf } from '../../integrations/index.js';
import { AuthorizeMedia, GetRenditions, PrepareRenditions } from '../../media/index.js';
import { FileIsNotReady, RenditionIsNotPossible } from '../domain/reference.errors.js';

export interface RenditionToRequest {
  readonly mediaId: string;
  readonly platform: Platform;
  /** Of the post that it is for. */
  readonly options: PostOptions;
  readonly caller: Caller;
  /** One that could not be made is tried once more. */
  readonly again: boolean;
}

/**
 * Has a file made fit a network, as a post of this file alone would be.
 * @returns the rendition; null while the worker makes it
 * @throws MediaNotFound, ScopeIsMissing, FileIsNotReady, RenditionIsNotPossible
 */
export class RequestRendition extends RequestCommand<RenditionToRequest, DeliveryFile | null> {}

@CommandHandler(RequestRendition)
export class RequestRenditionHandler implements ICommandHandler<RequestRendition> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({
    request: { mediaId, platform, options, caller, again },
  }: RequestRendition): Promise<DeliveryFile | null> {
    const file = await this.queries.execute(new AuthorizeMedia({ mediaId, caller, scope: 'posts.write' }));
    if (file.status !== 'ready') throw new FileIsNotReady(file.rejection?.message ?? null);
    const rest = { text: '', title: null, link: null, target: {}, options, account: null };
    const content = { ...rest, media: [file] };
    const [spec = null] = renditionsOf(platform, content);
    if (spec === null) throw new RenditionIsNotPossible('The network takes no file of this kind from here.');
    const files = [{ mediaId, spec }];
    await this.commands.execute(new PrepareRenditions({ files, again }));
    const [rendition] = await this.queries.execute(new GetRenditions({ files }));
    if (rendition?.kind === 'failed') throw new RenditionIsNotPossible(rendition.message);
    return rendition?.kind === 'ready' ? rendition.file : null;
  }
}
