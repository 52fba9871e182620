import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AuthConfig, BrandNotFound, Caller } from '#libs/auth';
import { IdentityClient } from '#libs/platform-client';
import { GetBrand } from '../../brands/index.js';
import { AuthorizationStateIsInvalid, ConnectIsNotAllowed } from '../domain/integration.errors.js';
import type { AuthorizationInProgress } from './authorization-requests.store.js';

/** Minutes pass between the start of a sign-in and the return from the network: what was allowed then need not be now. */
@Injectable()
export class ConnectAccess {
  constructor(
    private readonly identity: IdentityClient,
    private readonly config: AuthConfig,
    private readonly queries: QueryBus,
  ) {}

  /**
   * @returns the brand's name
   * @throws AuthorizationStateIsInvalid when the brand has moved; ConnectIsNotAllowed when the session has ended or grants
   * accounts.write there no longer; IdentityIsUnavailable
   */
  async stillAllowed(request: AuthorizationInProgress): Promise<string> {
    const { organizationId, brandId, userId, authorization } = request;
    const brand = await this.queries.execute(new GetBrand({ brandId })).catch((error: unknown) => {
      throw error instanceof BrandNotFound ? new AuthorizationStateIsInvalid() : error;
    });
    if (brand.organizationId !== organizationId) throw new AuthorizationStateIsInvalid();
    const { service } = this.config;
    const validated =
      authorization === null ? null : await this.identity.validate({ authorization, service });
    const caller = validated && Caller.of(validated, 'bearer');
    const isAllowed =
      caller?.id === userId && caller.may('accounts.write', { organizationId, brandId }) === 'yes';
    if (!isAllowed) throw new ConnectIsNotAllowed();
    return brand.name;
  }
}
