import { type DynamicModule, Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { AcceptDeauthorizationHandler } from './commands/accept-deauthorization.js';
import { DeletePersonalDataHandler } from './commands/delete-personal-data.js';
import { SignedCallbacksController } from './http/signed-callbacks.controller.js';
import { GetConnectStartHandler } from './queries/get-connect-start.js';
import { GetDataDeletionHandler } from './queries/get-data-deletion.js';
import { CallbackChanges } from './signed-callbacks/callback-changes.js';
import { SignedCallbacksStore } from './signed-callbacks/signed-callbacks.store.js';
import { SignedRequests } from './signed-callbacks/signed-requests.js';
import { AuthorizationRequestsStore } from './sign-in/authorization-requests.store.js';
import { ConnectionAccess, OperatorAccess } from './connections/connection-access.js';
import { CallbackController } from './http/callback.controller.js';
import { BeginConnectHandler } from './commands/begin-connect.js';
import { ConfirmConnectStartHandler, CreateConnectStartHandler } from './commands/connect-starts.js';
import { CompleteConnectHandler } from './commands/complete-connect.js';
import { DisconnectAccountHandler } from './commands/disconnect-account.js';
import { EndPlatformHoldHandler } from './commands/end-platform-hold.js';
import { ConnectStartController } from './http/connect-start.controller.js';
import { ConnectAccess } from './sign-in/connect-access.js';
import { ConnectStartsStore } from './sign-in/connect-starts.store.js';
import { ConnectedAccounts } from './sign-in/connected-accounts.js';
import { ConnectionRefresher } from './tokens/connection-refresher.js';
import { OperatorConfig } from './connections/operator.config.js';
import { IntegrationsController } from './http/integrations.controller.js';
import { sharedImports, sharedProviders } from './integrations.providers.js';
import { InternalConnectionsController } from './http/internal-connections.controller.js';
import { ProviderReadiness } from './registry/provider-readiness.js';
import { AccountLimits } from './limits/account-limits.js';
import { ListIntegrationsHandler, ListProvidersHandler } from './queries/list-integrations.js';
import { Revocations } from './tokens/revocations.js';

/** The API's part: connecting, listing, disconnecting, and renewing tokens for workers. */
@Module({
  controllers: [
    IntegrationsController,
    CallbackController,
    ConnectStartController,
    SignedCallbacksController,
    InternalConnectionsController,
  ],
  providers: [
    ...sharedProviders,
    AuthorizationRequestsStore,
    ConnectionAccess,
    ConnectAccess,
    ConnectStartsStore,
    ConnectedAccounts,
    ConnectionRefresher,
    BeginConnectHandler,
    CompleteConnectHandler,
    ConfirmConnectStartHandler,
    CreateConnectStartHandler,
    DisconnectAccountHandler,
    EndPlatformHoldHandler,
    provideConfig(OperatorConfig),
    OperatorAccess,
    AccountLimits,
    ListIntegrationsHandler,
    ListProvidersHandler,
    ProviderReadiness,
    Revocations,
    SignedRequests,
    SignedCallbacksStore,
    CallbackChanges,
    AcceptDeauthorizationHandler,
    DeletePersonalDataHandler,
    GetConnectStartHandler,
    GetDataDeletionHandler,
  ],
})
export class IntegrationsModule {
  static forRoot(): DynamicModule {
    return { module: IntegrationsModule, imports: sharedImports() };
  }
}
