import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import { AiTransportConfig } from '../ai.config.js';

const TIMEOUT_MS = 60_000;

/** Connections to AI providers. They are apart from other connections, because streams hold them for minutes. */
@Injectable()
export class AiHttp extends OutboundHttp {
  readonly idleTimeoutMs: number;
  /** Whether an AI gateway is in front of the providers. */
  readonly isBehindGateway: boolean;

  constructor({ connections, idleTimeoutMs, gatewayUrl }: AiTransportConfig) {
    super({ connections, timeoutMs: TIMEOUT_MS });
    this.idleTimeoutMs = idleTimeoutMs;
    this.isBehindGateway = gatewayUrl !== undefined;
  }
}
