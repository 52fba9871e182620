import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { type BrandChanges, change } from '../domain/brand.js';
import { Brands } from '../brands.stream.js';

export interface UpdateBrandRequest {
  readonly brandId: string;
  readonly changes: BrandChanges;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** @throws BrandNotFound, ScopeIsMissing, VersionIsStale */
export class UpdateBrand extends Command<void> {
  constructor(readonly request: UpdateBrandRequest) {
    super();
  }
}

@CommandHandler(UpdateBrand)
export class UpdateBrandHandler implements ICommandHandler<UpdateBrand> {
  constructor(private readonly brands: Brands) {}

  execute({ request: { brandId, changes, caller, ifVersion } }: UpdateBrand): Promise<void> {
    return this.brands.decide(brandId, caller, change(changes), ifVersion);
  }
}
