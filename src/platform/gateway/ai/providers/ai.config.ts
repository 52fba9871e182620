import { Env, IsBaseUrl } from '#libs/config';
import type { AiProviderName } from '../../credentials/providers.js';
import { AI_PROVIDERS } from './ai-providers.js';

/** The addresses of AI providers: a property for each declaration. */
export class AiAddressesConfig {
  of(provider: AiProviderName): string {
    return (this as unknown as Readonly<Record<AiProviderName, string>>)[provider];
  }
}

for (const { name, address } of Object.values(AI_PROVIDERS)) {
  const { variable, ...described } = address;
  Env(variable, described)(AiAddressesConfig.prototype, name);
  IsBaseUrl()(AiAddressesConfig.prototype, name);
}
