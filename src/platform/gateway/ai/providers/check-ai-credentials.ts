import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type CheckedCredential,
  type CheckOutcome,
  checkResult,
  type CheckResult,
  CredentialChecks,
} from '../../credentials/checks/credential-check.js';
import type { FailureKind } from './wires/failure.js';
import { type AiProvider, AiProviders } from './providers.js';
import { AI_PROVIDERS } from './names.js';

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
    for (const name of AI_PROVIDERS) {
      const provider = this.providers.find(name);
      if (provider) this.checks.add(name, (credential) => check(provider, credential));
    }
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
