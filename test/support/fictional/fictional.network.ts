import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import type { NetworkDeclaration } from '../../../src/integrations/providers/network.declaration.js';
import { NetworkAccessModule } from '../../../src/integrations/providers/network-access.module.js';
import { FictionalConfig } from './fictional.config.js';
import { FICTIONAL, FictionalProvider, fictionalRules } from './fictional.provider.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [provideConfig(FictionalConfig), FictionalProvider],
  exports: [FictionalProvider],
})
class FictionalModule {}

/** A network that exists in tests only: pages with grants of their own, binary uploads that take time, long-lived tokens. */
export const fictional: NetworkDeclaration = {
  platform: FICTIONAL,
  displayName: 'Fictional',
  rules: fictionalRules,
  connector: {
    module: FictionalModule,
    provider: FictionalProvider,
    config: FictionalConfig,
    sandbox: { addresses: { FICTIONAL_API_URL: '/fictional' }, credentials: ['FICTIONAL_CLIENT_ID'] },
  },
};
