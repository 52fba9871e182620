import { Global, Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { AiAddressesConfig, AiTransportConfig } from './ai.config.js';
import { CheckAiCredentials } from './check-ai-credentials.js';
import { AiProviders } from './providers.js';
import { AiHttp } from './wires/ai-http.js';

const configs = [AiAddressesConfig, AiTransportConfig].map((config) => provideConfig<object>(config));

/** Calls to AI providers, for every area: completions, the model catalog and checks of credentials. */
@Global()
@Module({ providers: [...configs, AiHttp, AiProviders, CheckAiCredentials], exports: [AiProviders] })
export class AiProvidersModule {}
