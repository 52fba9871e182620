import { Injectable } from '@nestjs/common';
import { AiAddressesConfig, AiTransportConfig } from './ai.config.js';
import { AI_PROVIDERS, type AiProviderName } from './names.js';
import { AiHttp } from './wires/ai-http.js';
import { AnthropicWire } from './wires/anthropic/anthropic-wire.js';
import { GoogleWire } from './wires/google/google-wire.js';
import { OpenAiWire } from './wires/openai/openai-wire.js';
import { OpenRouterWire } from './wires/openai/openrouter-wire.js';
import type { AiWire } from './wires/wire.js';

export interface AiProvider {
  readonly name: AiProviderName;
  readonly wire: AiWire;
  /** For `WireCall`: the provider's own address, or its path at the AI gateway. */
  readonly baseUrl: string;
  /** For `WireCall`: the token of the AI gateway, if there is one. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The AI providers by name, as the environment sets them up. Credentials carry no address. */
@Injectable()
export class AiProviders {
  private readonly providers: ReadonlyMap<string, AiProvider>;

  constructor(http: AiHttp, addresses: AiAddressesConfig, transport: AiTransportConfig) {
    const { gatewayUrl, gatewayToken, gatewayHeader } = transport;
    const headers = gatewayUrl && gatewayToken ? { [gatewayHeader.toLowerCase()]: gatewayToken } : {};
    const wires: Record<AiProviderName, AiWire> = {
      openai: new OpenAiWire(http),
      openrouter: new OpenRouterWire(http),
      anthropic: new AnthropicWire(http),
      google: new GoogleWire(http),
    };
    this.providers = new Map(
      AI_PROVIDERS.map((name) => {
        const baseUrl = gatewayUrl ? `${gatewayUrl}/${name}` : addresses[name];
        return [name, { name, wire: wires[name], baseUrl, headers }];
      }),
    );
  }

  /** null for a name that is no AI provider. */
  find(name: string): AiProvider | null {
    return this.providers.get(name) ?? null;
  }
}
