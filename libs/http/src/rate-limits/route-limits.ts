import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { COUNTS_AS, RATE_LIMIT, type RateLimitPolicy, UNLIMITED, type Weight } from './rate-limit.js';
import { ALTERNATIVE_CREDENTIAL, hasAlternative } from '../context/public-route.js';

interface Declared {
  readonly isUnlimited: boolean;
  /** Header of requests that are not limited. */
  readonly alternative?: string;
  /** The route's own limit, in addition to the one for all routes. */
  readonly own?: RateLimitPolicy;
  /** undefined: each request counts as one. */
  readonly weight?: Weight;
}

export type RouteLimit = Omit<Declared, 'alternative'>;

/** The limits declared by routes; read once per route. */
@Injectable()
export class RouteLimits {
  /** By controller, then handler: several controllers may inherit a handler. */
  private readonly known = new Map<unknown, Map<unknown, Declared>>();

  constructor(private readonly reflector: Reflector) {}

  of(context: ExecutionContext): RouteLimit {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const ofController = this.known.get(controller) ?? new Map<unknown, Declared>();
    this.known.set(controller, ofController);
    const limit: Declared = ofController.get(handler) ?? this.declared([handler, controller]);
    ofController.set(handler, limit);
    const { alternative } = limit;
    if (alternative === undefined) return limit;
    const isUnlimited = hasAlternative(context.switchToHttp().getRequest<Request>(), alternative);
    return isUnlimited ? { isUnlimited } : limit;
  }

  private declared(places: Parameters<Reflector['getAllAndOverride']>[1]): Declared {
    return {
      isUnlimited: this.reflector.getAllAndOverride<boolean | undefined>(UNLIMITED, places) ?? false,
      alternative: this.reflector.getAllAndOverride<string | undefined>(ALTERNATIVE_CREDENTIAL, places),
      own: this.reflector.getAllAndOverride<RateLimitPolicy | undefined>(RATE_LIMIT, places),
      weight: this.reflector.getAllAndOverride<Weight | undefined>(COUNTS_AS, places),
    };
  }
}
