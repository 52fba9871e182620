export { AuthConfig } from './auth.config.js';
export { BrandIsUnknown, CredentialsAreNotValid, ScopeIsMissing } from './auth.errors.js';
export { AuthModule } from './auth.module.js';
export { Caller } from './caller.js';
export type { CallerOrganization, Place, Scope } from './caller.js';
export { AcceptsApiKey, BelongsToService, BrandId, CurrentCaller } from './decorators.js';
export { eventContext } from './event-context.js';
export { Public } from '#libs/http';
export { InternalOnly, InternalTokenGuard } from './internal-token.guard.js';
export {
  OrganizationIsMissing,
  OrganizationNotFound,
  organizationFor,
  organizationsFor,
} from './organizations.js';
export { isReached, reachOf } from './reach.js';
export type { Reach } from './reach.js';
export { RequiresScopes } from './scopes.guard.js';
