import { Global, Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { AiAddressesConfig } from './ai.config.js';
import { AiProviders, CheckAiCredentials } from './providers.js';
import { AiTransportConfig } from './wires/ai-transport.config.js';
import { AiHttp } from './wires/exchange.js';

const configs = [AiAddressesConfig, AiTransportConfig].map((config) => provideConfig<object>(config));

/** Calls to AI providers, for every area: completions, the model catalog and checks of credentials. */
@Global()
@Module({ providers: [...configs, AiHttp, AiProviders, CheckAiCredentials], exports: [AiProviders] })
export class AiProvidersModule {}
