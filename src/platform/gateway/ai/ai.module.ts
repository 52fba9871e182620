import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { UploadsConfig } from '#libs/uploads';
import { AuditModule } from '../audit/audit.module.js';
import { Credentials } from '../credentials/credentials.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { ModelsModule } from './models/models.module.js';
import { UsageModule } from './usage/usage.module.js';
import { AiCallsConfig } from './ai-calls.config.js';
import { AiProvidersModule } from './providers/ai-providers.module.js';
import { Breakers } from './calls/breakers/breakers.js';
import { AiRequests } from './calls/admit/ai-requests.js';
import { Attempts, CredentialSecrets, ProviderTransports } from './calls/reserve/attempts.js';
import { BackgroundWrites } from './calls/settle/background-writes.js';
import { ReturnedModels } from './calls/settle/returned-models.js';
import { SchemaChecks } from './calls/call/schema-checks.js';
import { StreamedCalls } from './calls/call/streamed-calls.js';
import { UnaryCalls } from './calls/call/unary-calls.js';
import { WithFallback } from './calls/call/with-fallback.js';
import { CompletionStreams } from './http/completion-streams.js';
import { CompletionsController } from './http/completions.controller.js';
import { ImagesController } from './http/images.controller.js';
import { Slots } from './calls/admit/slots.js';
import { TranscriptionsController } from './http/transcriptions.controller.js';
import { Plans } from './calls/plan/plans.js';
import { AiProviders } from './providers/providers.js';

const configs = [AiCallsConfig, UploadsConfig].map((config) => provideConfig<object>(config));

/** The AI routes: completions, images, transcriptions. */
@Module({
  imports: [AiProvidersModule, AuditModule, CredentialsModule, ModelsModule, UsageModule],
  controllers: [CompletionsController, ImagesController, TranscriptionsController],
  providers: [
    ...configs,
    { provide: CredentialSecrets, useExisting: Credentials },
    { provide: ProviderTransports, useExisting: AiProviders },
    AiRequests,
    Attempts,
    BackgroundWrites,
    Breakers,
    CompletionStreams,
    Plans,
    ReturnedModels,
    SchemaChecks,
    Slots,
    StreamedCalls,
    UnaryCalls,
    WithFallback,
  ],
})
export class AiModule {}
