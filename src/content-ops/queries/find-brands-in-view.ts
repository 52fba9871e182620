import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import {
  brandAccessOf,
  BrandNotFound,
  type Caller,
  type CallerOrganization,
  type Scope,
  ScopeIsMissing,
} from '#libs/auth';
import { RequestQuery } from '#libs/messages';
import { type BrandSummary, FindBrands, GetBrand } from '../../brands/index.js';

export interface View {
  readonly caller: Caller;
  readonly scopes: readonly Scope[];
  /** The brand that the request names; default: all brands that the caller may see. */
  readonly brandId?: string;
}

/**
 * The brands of a request, by id, ascending.
 * @throws BrandNotFound when the named brand does not exist or the caller may not see it
 * @throws ScopeIsMissing when the caller lacks a scope for the named brand, or for all brands
 */
export class FindBrandsInView extends RequestQuery<View, BrandSummary[]> {}

@QueryHandler(FindBrandsInView)
export class FindBrandsInViewHandler implements IQueryHandler<FindBrandsInView> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ request: view }: FindBrandsInView): Promise<BrandSummary[]> {
    const { caller, scopes, brandId } = view;
    if (brandId) return [await this.named(caller, scopes, brandId)];
    organizationsGranting(caller, scopes);
    return this.queries.execute(new FindBrands(brandAccessOf(caller, scopes)));
  }

  private async named(caller: Caller, scopes: readonly Scope[], brandId: string): Promise<BrandSummary> {
    const brand = await this.queries.execute(new GetBrand({ brandId }));
    const place = { organizationId: brand.organizationId, brandId };
    for (const scope of scopes) caller.must(scope, place, () => new BrandNotFound());
    return brand;
  }
}

export function organizationsGranting(caller: Caller, scopes: readonly Scope[]): CallerOrganization[] {
  const granting = caller.organizations.filter((one) => scopes.every((scope) => one.scopes.includes(scope)));
  if (granting.length === 0) throw new ScopeIsMissing(scopes);
  return granting;
}
