import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { AuthConfig } from './auth.config.js';
import { SERVICE } from './decorators.js';

/** Slug of the route's service, for the scopes from identity and for challenges. */
export function serviceOf(context: ExecutionContext, reflector: Reflector, config: AuthConfig): string {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<string | undefined>(SERVICE, targets) ?? config.service;
}
