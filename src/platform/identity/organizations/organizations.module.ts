import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AutomationsModule } from '../automations/automations.module.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { Invitations } from './invitations/invitations.js';
import { MyInvitationsController } from './invitations/my-invitations.controller.js';
import { MyInvitations } from './invitations/my-invitations.js';
import { MembersController } from './members/members.controller.js';
import { Members } from './members/members.js';
import { OrganizationsController } from './organizations.controller.js';
import { Organizations } from './organizations.js';
import { OverridesController, PermissionsController } from './permissions/permissions.controller.js';
import { Overrides } from './permissions/overrides.js';
import { Permissions } from './permissions/permissions.js';

@Module({
  imports: [AuditModule, AutomationsModule],
  controllers: [
    PermissionsController,
    OrganizationsController,
    MembersController,
    InvitationsController,
    MyInvitationsController,
    OverridesController,
  ],
  providers: [Organizations, Members, Invitations, MyInvitations, Overrides, Permissions],
  exports: [Organizations, MyInvitations, Permissions],
})
export class OrganizationsModule {}
