import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext, organizationFor, OrganizationNotFound } from '#libs/auth';
import { Database } from '#libs/database';
import { domainError } from '#libs/errors';
import { retryOnConflict } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { Brands } from '../brands.stream.js';
import { type Brand, type BrandChanges, change, create, transfer } from '../domain/brand.js';
import { TransfersLog } from './transfers.log.js';

interface NewBrand {
  readonly caller: Caller;
  readonly name: string;
  readonly timezone: string;
  /** Optional for callers with accounts.write in exactly one organization. */
  readonly organizationId?: string;
}

export class CreateBrand extends RequestCommand<NewBrand, string> {}

@CommandHandler(CreateBrand)
export class CreateBrandHandler implements ICommandHandler<CreateBrand> {
  constructor(private readonly brands: Brands) {}

  async execute({ request: { caller, name, timezone, ...asked } }: CreateBrand): Promise<string> {
    const organizationId = organizationFor(caller, 'accounts.write', asked.organizationId);
    const id = randomUUIDv7();
    const context = eventContext(caller, { organizationId, brandId: id });
    await this.brands.create(id, () => create({ id, organizationId, name, timezone }), context);
    return id;
  }
}

export class UpdateBrand extends RequestCommand<
  { brandId: string; changes: BrandChanges; caller: Caller; ifVersion?: number },
  void
> {}

@CommandHandler(UpdateBrand)
export class UpdateBrandHandler implements ICommandHandler<UpdateBrand> {
  constructor(private readonly brands: Brands) {}

  execute({ request: { brandId, changes, caller, ifVersion } }: UpdateBrand): Promise<void> {
    return this.brands.decide(brandId, caller, change(changes), ifVersion);
  }
}

/** The caller may change the brand, but only an owner of its organization may transfer it. */
class OwnerRoleIsMissing extends domainError(
  'forbidden',
  'owner_required',
  'This needs the role owner in the organization that the brand belongs to. Ask an owner of it.',
) {}

interface TransferBrandRequest {
  readonly brandId: string;
  readonly organizationId: string;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/**
 * Moves a brand to another organization of the caller, who is an owner of the present one and needs accounts.write in both.
 */
export class TransferBrand extends RequestCommand<TransferBrandRequest, void> {}

@CommandHandler(TransferBrand)
export class TransferBrandHandler implements ICommandHandler<TransferBrand> {
  constructor(
    private readonly database: Database,
    private readonly brands: Brands,
    private readonly log: TransfersLog,
  ) {}

  execute({ request }: TransferBrand): Promise<void> {
    return retryOnConflict(this.database, () => this.move(request));
  }

  private move({ brandId, organizationId: to, caller, ifVersion }: TransferBrandRequest): Promise<void> {
    let from = to;
    const decision = (brand: Brand) => {
      if (!caller.isOwnerOf(brand.organizationId)) throw new OwnerRoleIsMissing();
      caller.must('accounts.write', { organizationId: to }, () => new OrganizationNotFound());
      from = brand.organizationId;
      return transfer(to)(brand);
    };
    return this.database.transaction(async (transaction) => {
      await this.brands.decide(brandId, caller, decision, ifVersion);
      if (from !== to) await this.log.append(transaction, { brandId, from, to, caller });
    });
  }
}
