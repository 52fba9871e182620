import type { ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { RateLimitPolicy, Weight } from './rate-limit.js';
import { COUNTS_AS, RATE_LIMIT, UNLIMITED } from './rate-limit.js';

export interface RouteLimit {
  readonly isUnlimited: boolean;
  /** The route's own limit, in addition to the one for all routes. */
  readonly own?: RateLimitPolicy;
  /** undefined: each request counts as one. */
  readonly weight?: Weight;
}

/** The limits declared by routes; read once per route. */
@Injectable()
export class RouteLimits {
  /** By controller, then handler: several controllers may inherit a handler. */
  private readonly known = new Map<unknown, Map<unknown, RouteLimit>>();

  constructor(private readonly reflector: Reflector) {}

  of(context: ExecutionContext): RouteLimit {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const ofController = this.known.get(controller) ?? new Map<unknown, RouteLimit>();
    this.known.set(controller, ofController);
    const limit = ofController.get(handler) ?? this.declared([handler, controller]);
    ofController.set(handler, limit);
    return limit;
  }

  private declared(places: Parameters<Reflector['getAllAndOverride']>[1]): RouteLimit {
    return {
      isUnlimited: this.reflector.getAllAndOverride<boolean | undefined>(UNLIMITED, places) ?? false,
      own: this.reflector.getAllAndOverride<RateLimitPolicy | undefined>(RATE_LIMIT, places),
      weight: this.reflector.getAllAndOverride<Weight | undefined>(COUNTS_AS, places),
    };
  }
}
