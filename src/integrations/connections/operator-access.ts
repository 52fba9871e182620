import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { OperatorConfig } from './operator.config.js';
import { OperatorIsNotConfigured, OperatorIsRequired } from '../domain/integration.errors.js';

/** Actions that affect all organizations are for owners and admins of the organization that operates the installation. */
@Injectable()
export class OperatorAccess {
  constructor(private readonly config: OperatorConfig) {}

  /**
   * @returns the organization that operates the installation
   * @throws OperatorIsNotConfigured, OperatorIsRequired; ScopeIsMissing when that organization does not grant the scope
   */
  must(caller: Caller, scope: string): { organizationId: string } {
    const organizationId = this.config.organizationId?.toLowerCase();
    if (organizationId === undefined) throw new OperatorIsNotConfigured();
    if (!caller.isAdministratorOf(organizationId)) throw new OperatorIsRequired();
    caller.must(scope, { organizationId }, () => new OperatorIsRequired());
    return { organizationId };
  }
}
