import type { Type } from '@nestjs/common';
import type { ConfigClass } from '#libs/config';
import type { Platform } from '#libs/content';
import type { NetworkRules, PublishingProvider } from '../provider.types.js';
import { plannedRules } from './content-rules.js';

export interface SandboxedNetwork {
  /** Paths in the sandbox by variable. A person who sets the variable uses the real network. Production needs all of them. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Likewise, for the provider gateway: addresses that this service does not call itself. Default none. */
  readonly gatewayAddresses?: Readonly<Record<string, string>>;
  /** Variables of the app that is registered there. */
  readonly credentials: readonly [id: string, secret?: string];
}

/** The declaration of a network: everything that other code uses of it, except its provider. */
export interface NetworkDeclaration {
  readonly platform: Platform;
  readonly displayName: string;
  readonly rules: NetworkRules;
  /** Absent: planned. Posts for it can be drafted; its accounts cannot be connected. */
  readonly connector?: {
    readonly module: Type;
    readonly provider: Type<PublishingProvider>;
    readonly config: ConfigClass<object>;
    readonly sandbox: SandboxedNetwork;
  };
}

/** A network whose posts can be drafted, but whose accounts cannot be connected yet. */
export const planned = (platform: string, displayName: string): NetworkDeclaration => ({
  platform: platform as Platform,
  displayName,
  rules: plannedRules(platform, displayName),
});
