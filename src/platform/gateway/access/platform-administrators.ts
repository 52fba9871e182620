import type { Caller, PlatformPrincipal } from '#libs/auth';
import { PlatformRoleIsMissing } from './caller.errors.js';

export const PLATFORM_ADMINS: readonly PlatformPrincipal[] = ['platform_admin', 'platform_super_admin'];
export const PLATFORM_SUPER_ADMINS: readonly PlatformPrincipal[] = ['platform_super_admin'];

/** Requires a person of one of the types in the administrative organization. @throws PlatformRoleIsMissing */
export function mustAdministerPlatform(caller: Caller, types: readonly PlatformPrincipal[]): void {
  if (!caller.isPlatformAdministrator(types)) throw new PlatformRoleIsMissing(types);
}
