import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type CheckedCredential,
  type CheckOutcome,
  checkResult,
  type CheckResult,
  CredentialChecks,
} from '../../credentials/checks/credential-check.js';
import { AI_PROVIDER_NAMES, type AiProviderName } from '../../credentials/providers.js';
import { AiAddressesConfig } from './ai.config.js';
import { AI_PROVIDERS } from './ai-providers.js';
import { AiTransportConfig } from './wires/ai-transport.config.js';
import { AiHttp } from './wires/exchange.js';
import type { FailureKind } from './wires/failure.js';
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
  readonly all: readonly AiProvider[];

  constructor(http: AiHttp, addresses: AiAddressesConfig, transport: AiTransportConfig) {
    const { gatewayUrl, gatewayToken, gatewayHeader } = transport;
    const headers = gatewayUrl && gatewayToken ? { [gatewayHeader.toLowerCase()]: gatewayToken } : {};
    this.all = AI_PROVIDER_NAMES.map((name) => ({
      name,
      wire: new AI_PROVIDERS[name].wire(http),
      baseUrl: gatewayUrl ? `${gatewayUrl}/${name}` : addresses.of(name),
      headers,
    }));
  }

  /** null for a name that is no AI provider. */
  find(name: string): AiProvider | null {
    return this.all.find((provider) => provider.name === name) ?? null;
  }
}

const OUTCOMES: Readonly<Partial<Record<FailureKind, CheckOutcome>>> = {
  credential: 'refused',
  money: 'out_of_money',
};

/** Checks credentials of AI providers by a call that costs nothing: the list of models, or what the wire has for it. */
@Injectable()
export class CheckAiCredentials implements OnModuleInit {
  constructor(
    private readonly providers: AiProviders,
    private readonly checks: CredentialChecks,
  ) {}

  onModuleInit(): void {
    for (const provider of this.providers.all)
      this.checks.add(provider.name, (credential) => check(provider, credential));
  }
}

async function check(
  { wire, baseUrl, headers }: AiProvider,
  { secret, signal, timeoutMs }: CheckedCredential,
): Promise<CheckResult> {
  const call = { baseUrl, headers, secret, signal, timeoutMs };
  const asked = await (wire.checkCredential ? wire.checkCredential(call) : wire.listModels(call));
  if (asked.kind === 'answered') return checkResult('works');
  const { kind, code, status } = asked.failure;
  return checkResult(OUTCOMES[kind] ?? 'unavailable', { code: code ?? kind, status });
}
