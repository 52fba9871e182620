import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { brandAccessOf, BrandNotFound, type Caller } from '#libs/auth';
import { FindBrands, GetBrand } from '../../brands/index.js';
import { OperatorConfig } from './operator.config.js';
import { OperatorIsNotConfigured, OperatorIsRequired } from '../domain/integration.errors.js';

@Injectable()
export class ConnectionAccess {
  constructor(private readonly queries: QueryBus) {}

  /** @throws BrandNotFound, also when it is not the caller's; ScopeIsMissing */
  async must(caller: Caller, scope: string, brandId: string): Promise<{ organizationId: string }> {
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    caller.must(scope, { organizationId, brandId }, () => new BrandNotFound());
    return { organizationId };
  }

  /** Whether the brand is the organization's. In a transaction it stays so until that ends; an append comes first. */
  async isStillOf(organizationId: string, brandId: string): Promise<boolean> {
    const brand = await this.queries.execute(new GetBrand({ brandId, held: true }));
    return brand.organizationId === organizationId;
  }

  /** The brands in which the caller has the scope; narrowed to one when it is named. */
  async brandsWith(caller: Caller, scope: string, brandId: string | undefined): Promise<string[]> {
    if (brandId) {
      await this.must(caller, scope, brandId);
      return [brandId];
    }
    const brands = await this.queries.execute(new FindBrands(brandAccessOf(caller, [scope])));
    return brands.map(({ id }) => id);
  }
}

/** Actions that affect all organizations are for owners and admins of the organization that operates the installation. */
@Injectable()
export class OperatorAccess {
  constructor(private readonly config: OperatorConfig) {}

  /** @returns the organization that operates the installation @throws OperatorIsNotConfigured, OperatorIsRequired, ScopeIsMissing */
  must(caller: Caller, scope: string): { organizationId: string } {
    const organizationId = this.config.organizationId?.toLowerCase();
    if (organizationId === undefined) throw new OperatorIsNotConfigured();
    if (!caller.isAdministratorOf(organizationId)) throw new OperatorIsRequired();
    caller.must(scope, { organizationId }, () => new OperatorIsRequired());
    return { organizationId };
  }
}
