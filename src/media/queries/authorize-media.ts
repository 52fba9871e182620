import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { type MediaSummary, mediaSummaryOf } from '../views/media-file.view.js';
import { MediaAccess } from './media.access.js';

export interface MediaToAuthorize {
  readonly mediaId: string;
  readonly caller: Caller;
  readonly scope: Scope;
}

/** The file, if the caller has the scope in its brand. @throws MediaNotFound, ScopeIsMissing */
export class AuthorizeMedia extends Query<MediaSummary> {
  constructor(readonly request: MediaToAuthorize) {
    super();
  }
}

@QueryHandler(AuthorizeMedia)
export class AuthorizeMediaHandler implements IQueryHandler<AuthorizeMedia> {
  constructor(private readonly access: MediaAccess) {}

  async execute({ request: { mediaId, caller, scope } }: AuthorizeMedia): Promise<MediaSummary> {
    return mediaSummaryOf(await this.access.find(mediaId, caller, scope));
  }
}
