import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller, PlatformPrincipal } from '#libs/auth';
import { CredentialsAreNotValid } from '#libs/auth';
import { BEARER_AUTH, problemResponses } from '#libs/http';
import { PlatformRoleIsMissing } from './caller.errors.js';

const TYPES = 'gateway:platform-types';

export const PLATFORM_ADMINS: readonly PlatformPrincipal[] = ['platform_admin', 'platform_super_admin'];
export const PLATFORM_SUPER_ADMINS: readonly PlatformPrincipal[] = ['platform_super_admin'];

/** Requires a person of one of the types in the administrative organization. @throws PlatformRoleIsMissing */
export function mustAdministerPlatform(caller: Caller, types: readonly PlatformPrincipal[]): void {
  if (!caller.isPlatformAdministrator(types)) throw new PlatformRoleIsMissing(types);
}

@Injectable()
export class PlatformCallerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws PlatformRoleIsMissing */
  canActivate(context: ExecutionContext): boolean {
    const { user: caller } = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    if (!caller) throw new CredentialsAreNotValid();
    const targets = [context.getHandler(), context.getClass()];
    mustAdministerPlatform(caller, this.reflector.getAllAndOverride<PlatformPrincipal[]>(TYPES, targets));
    return true;
  }
}

const platformCallers = (types: readonly PlatformPrincipal[]) =>
  applyDecorators(
    SetMetadata(TYPES, types),
    UseGuards(PlatformCallerGuard),
    ApiBearerAuth(BEARER_AUTH),
    problemResponses(401, 403),
  );

/** For routes of platform_admin and platform_super_admin, members of the administrative organization. */
export const PlatformAdmins = () => platformCallers(PLATFORM_ADMINS);

/** For routes of platform_super_admin only, members of the administrative organization. */
export const PlatformSuperAdmins = () => platformCallers(PLATFORM_SUPER_ADMINS);
