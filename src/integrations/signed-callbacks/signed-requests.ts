import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import { NetworkSendsNoCallbacks, ProviderIsNotConnectable } from '../domain/integration.errors.js';
import { ProviderRegistry, publishes } from '../registry/provider-registry.js';
import { SignedCallbacksConfig } from './signed-callbacks.config.js';
import { readSignedRequest } from './signed-request.js';
import type { SignedRequest } from './signed-request.js';

export interface NetworkCallback extends SignedRequest {
  readonly platform: Platform;
}

/** Verifies callbacks with the key of the network that they are for. */
@Injectable()
export class SignedRequests {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly config: SignedCallbacksConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws PlatformNotFound, NetworkSendsNoCallbacks, ProviderIsNotConnectable without a key, SignedRequestIsMalformed,
   *   SignatureIsInvalid, SignedRequestHasExpired
   */
  read(platform: string, text: string): NetworkCallback {
    const provider = this.providers.of(platform);
    const callbacks = publishes(provider) ? provider.signedCallbacks : undefined;
    if (!callbacks) throw new NetworkSendsNoCallbacks(provider.displayName);
    const secret = callbacks.secret();
    if (secret === null) throw new ProviderIsNotConnectable(provider.displayName, 'setup-required');
    const window = { now: this.clock.now(), maxAgeSeconds: this.config.maxAgeSeconds };
    return { platform: provider.platform, ...readSignedRequest(text, secret, window) };
  }
}
