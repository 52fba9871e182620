import { randomUUIDv7 } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext, organizationFor } from '#libs/auth';
import { create } from '../domain/brand.js';
import { Brands } from '../brands.stream.js';

export interface NewBrand {
  readonly caller: Caller;
  readonly name: string;
  readonly timezone: string;
  /** Optional for callers with accounts.write in exactly one organization. */
  readonly organizationId?: string;
}

/** Returns the id of the new brand. @throws OrganizationIsMissing, OrganizationNotFound, ScopeIsMissing */
export class CreateBrand extends Command<string> {
  constructor(readonly request: NewBrand) {
    super();
  }
}

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
