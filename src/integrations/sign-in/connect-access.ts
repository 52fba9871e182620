import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AuthConfig, BrandNotFound, Caller } from '#libs/auth';
import { IdentityClient } from '#libs/platform-client';
import { type BrandSummary, GetBrand } from '../../brands/index.js';
import { AuthorizationStateIsInvalid, ConnectIsNotAllowed } from '../domain/integration.errors.js';
import type { AuthorizationInProgress } from './authorization-requests.store.js';
import type { ConnectStartRequest } from './connect-starts.store.js';

export interface MayConnect {
  readonly caller: Caller;
  readonly brandName: string;
  readonly organizationName: string;
}

/** Minutes pass between the start of a sign-in and the return from the network: what was allowed then need not be now. */
@Injectable()
export class ConnectAccess {
  constructor(
    private readonly identity: IdentityClient,
    private readonly config: AuthConfig,
    private readonly queries: QueryBus,
  ) {}

  /** @returns the brand's name @throws AuthorizationStateIsInvalid, ConnectIsNotAllowed, IdentityIsUnavailable */
  async stillAllowed(request: AuthorizationInProgress): Promise<string> {
    const { organizationId, brandId, userId, authorization } = request;
    const brand = await this.brandOr(brandId, () => new AuthorizationStateIsInvalid());
    if (brand.organizationId !== organizationId) throw new AuthorizationStateIsInvalid();
    const caller = authorization === null ? null : await this.callerOf(authorization);
    const isAllowed =
      caller?.id === userId && caller.may('accounts.write', { organizationId, brandId }) === 'yes';
    if (!isAllowed) throw new ConnectIsNotAllowed();
    return brand.name;
  }

  async mayConnect({ brandId, authorization }: ConnectStartRequest): Promise<MayConnect> {
    const brand = await this.brandOr(brandId, () => new ConnectIsNotAllowed());
    const { organizationId } = brand;
    const caller = await this.callerOf(authorization);
    const organization = caller?.organizations.find(({ id }) => id === organizationId);
    if (!organization || caller?.may('accounts.write', { organizationId, brandId }) !== 'yes')
      throw new ConnectIsNotAllowed();
    return { caller, brandName: brand.name, organizationName: organization.name };
  }

  private brandOr(brandId: string, gone: () => Error): Promise<BrandSummary> {
    return this.queries.execute(new GetBrand({ brandId })).catch((error: unknown) => {
      throw error instanceof BrandNotFound ? gone() : error;
    });
  }

  private async callerOf(authorization: string): Promise<Caller | null> {
    const { service } = this.config;
    const validated = await this.identity.validate({ authorization, service });
    return validated && Caller.of(validated, 'bearer');
  }
}
