import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { AuthorizationStateIsInvalid } from '../domain/integration.errors.js';
import { networkOf } from '../networks.js';
import { ConnectAccess } from '../sign-in/connect-access.js';
import { ConnectStartsStore, type ConnectStartToken } from '../sign-in/connect-starts.store.js';

export interface NamedStart {
  readonly personName: string;
  /** null for service principals. */
  readonly personEmail: string | null;
  readonly organizationName: string;
  readonly brandName: string;
  readonly displayName: string;
}

/** Reads what a start token is for, without using it up. Its caller is validated again. */
export class GetConnectStart extends Query<NamedStart> {
  constructor(readonly token: ConnectStartToken) {
    super();
  }
}

@QueryHandler(GetConnectStart)
export class GetConnectStartHandler implements IQueryHandler<GetConnectStart> {
  constructor(
    private readonly starts: ConnectStartsStore,
    private readonly access: ConnectAccess,
  ) {}

  async execute({ token }: GetConnectStart): Promise<NamedStart> {
    const start = await this.starts.find(token);
    if (!start) throw new AuthorizationStateIsInvalid();
    const { caller, brandName, organizationName } = await this.access.mayConnect(start);
    const { displayName } = networkOf(start.platform);
    return { personName: caller.name, personEmail: caller.email, organizationName, brandName, displayName };
  }
}
