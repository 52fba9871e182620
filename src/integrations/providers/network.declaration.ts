import type { Type } from '@nestjs/common';
import type { Platform } from '#libs/content';
import type { PublishingProvider } from '../provider.js';

/** What a network declares about itself. Beyond this and its provider, no other code knows a network. */
export interface NetworkDeclaration {
  readonly platform: Platform;
  /** As its users call it. */
  readonly displayName: string;
  /** Absent: planned. Posts for it can be drafted; its accounts cannot be connected. */
  readonly connector?: {
    /** Exports the provider. */
    readonly module: Type;
    readonly provider: Type<PublishingProvider>;
  };
}

/** A network whose posts can be drafted, but whose accounts cannot be connected yet. */
export const planned = (platform: string, displayName: string): NetworkDeclaration => ({
  platform: platform as Platform,
  displayName,
});
