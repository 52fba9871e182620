import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import { AiClient } from './ai-client.js';
import { EmailClient } from './email-client.js';
import { GatewayClient } from './gateway-client.js';
import { GatewayClientConfig } from './gateway-client.config.js';
import { GatewayConnection } from './gateway-connection.js';
import { HttpAiClient } from './http-ai-client.js';
import { HttpEmailClient } from './http-email-client.js';
import { HttpGatewayClient } from './http-gateway-client.js';
import { HttpPaymentsClient } from './http-payments-client.js';
import { HttpIdentityClient } from './http-identity-client.js';
import { PaymentsClient } from './payments-client.js';
import { IdentityClient } from './identity-client.js';
import { PlatformClientConfig } from './platform-client.config.js';

/** The client of the provider gateway, for modules that need it. */
@Module({
  providers: [
    provideConfig(GatewayClientConfig),
    provideConfig(PlatformClientConfig),
    provideConfig(OutboundHttpConfig),
    OutboundHttp,
    { provide: IdentityClient, useClass: HttpIdentityClient },
    GatewayConnection,
    { provide: AiClient, useClass: HttpAiClient },
    { provide: EmailClient, useClass: HttpEmailClient },
    { provide: GatewayClient, useClass: HttpGatewayClient },
    { provide: PaymentsClient, useClass: HttpPaymentsClient },
  ],
  exports: [AiClient, EmailClient, GatewayClient, GatewayConnection, PaymentsClient],
})
export class GatewayClientModule {}
