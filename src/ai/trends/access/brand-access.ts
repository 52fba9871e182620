import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { BrandNotFound, type Caller, type Scope } from '#libs/auth';
import { type BrandSummary, GetBrand } from '../../../brands/index.js';

@Injectable()
export class TrendBrands {
  constructor(private readonly queries: QueryBus) {}

  /**
   * @param unknown creates the error for a brand that the caller may not know of
   * @throws the error of `unknown`, ScopeIsMissing
   */
  async authorize(
    brandId: string,
    caller: Caller,
    scope: Scope,
    unknown: () => Error = () => new BrandNotFound(),
  ): Promise<BrandSummary> {
    const brand = await this.queries.execute(new GetBrand({ brandId })).catch((error: unknown) => {
      throw error instanceof BrandNotFound ? unknown() : error;
    });
    caller.must(scope, { organizationId: brand.organizationId, brandId }, unknown);
    return brand;
  }
}
