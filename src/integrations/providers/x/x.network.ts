import type { Platform } from '#libs/content';
import type { NetworkDeclaration } from '../network.declaration.js';
import { XModule } from './x.module.js';
import { XProvider } from './x.provider.js';

export const x: NetworkDeclaration = {
  platform: 'x' as Platform,
  displayName: 'X',
  connector: { module: XModule, provider: XProvider },
};
