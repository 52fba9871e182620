import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AccountsController } from './accounts.controller.js';
import { FamiliarNetworks } from './limits/familiar-networks.js';
import { LoginLimits } from './limits/login-limits.js';
import { SignInMetrics } from './limits/sign-in.metrics.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { Registration } from './registration.js';
import { SessionsController } from './sessions.controller.js';
import { Sessions } from './sessions/sessions.js';
import { SignIn } from './sign-in.js';
import { UserAccounts } from './user-accounts.js';

@Module({
  imports: [AuditModule, CredentialsModule, OrganizationsModule],
  controllers: [AccountsController, SessionsController],
  providers: [
    UserAccounts,
    Registration,
    SignIn,
    PasswordHasher,
    LoginLimits,
    FamiliarNetworks,
    Sessions,
    SignInMetrics,
  ],
})
export class AccountsModule {}
