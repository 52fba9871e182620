import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { OrganizationNotFound } from '#libs/auth';
import type { Brand } from '../brand.js';
import { transfer } from '../brand.js';
import { Brands } from '../brands.stream.js';

/**
 * Moves a brand to another organization of the caller, who needs accounts.write in both.
 * @throws BrandNotFound, OrganizationNotFound, ScopeIsMissing, VersionIsStale
 */
export class TransferBrand extends Command<void> {
  constructor(
    readonly brandId: string,
    readonly organizationId: string,
    readonly caller: Caller,
    readonly ifVersion?: number,
  ) {
    super();
  }
}

@CommandHandler(TransferBrand)
export class TransferBrandHandler implements ICommandHandler<TransferBrand> {
  constructor(private readonly brands: Brands) {}

  execute({ brandId, organizationId, caller, ifVersion }: TransferBrand): Promise<void> {
    const decision = (brand: Brand) => {
      caller.must('accounts.write', { organizationId }, () => new OrganizationNotFound());
      return transfer(organizationId)(brand);
    };
    return this.brands.decide(brandId, caller, decision, ifVersion);
  }
}
