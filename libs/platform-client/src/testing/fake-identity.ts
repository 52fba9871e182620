import { randomBytes, randomUUID } from 'node:crypto';
import { IdentityClient, IdentityIsUnavailable } from '../identity-client.js';
import type {
  ClaimedAttribution,
  Credentials,
  PermissionPayload,
  RegisteredService,
  Registration,
  ValidatedCaller,
  VerifiedAttribution,
} from '../identity.types.js';
import {
  bearerToken,
  callerOf,
  type FakeAutomation,
  type FakeCaller,
  type FakeGrant,
  type FakePerson,
  organizationOf,
} from './fake-callers.js';
import { combineCredentials } from './combine-credentials.js';

/** Registered services. A request for another service is an error of the test. */
const SERVICES = [
  'social-publishing',
  'contact-management',
  'workspace-launcher',
  'provider-gateway',
  'agent',
  'identity',
  'mail',
  'notification',
  'payment',
  'settlement',
];

/** In-memory identity. It passes the same contract tests as the service (test/e2e/identity-contract.e2e-spec.ts). */
export class FakeIdentity extends IdentityClient {
  /** Number of calls of `validate`. */
  validations = 0;
  /** Number of calls of `verifyAttribution`. */
  attributionChecks = 0;
  /** For tests whose organizations another identity has. */
  hasAllOrganizations = false;
  private readonly bearers = new Map<string, FakeCaller>();
  private readonly keys = new Map<string, FakeCaller>();
  private readonly serviceIds = new Map(SERVICES.map((slug) => [slug, randomUUID() as string]));
  /** Members by organization. */
  private readonly members = new Map<string, Set<string>>();
  private down = false;

  /** Adds a person. @returns the access token, to be sent as `Authorization: Bearer …` */
  user(person: FakePerson = {}): string {
    const id = person.id ?? randomUUID();
    const name = person.name ?? 'Ada Lovelace';
    const email = person.email ?? `${id}@example.com`;
    for (const grant of person.organizations ?? []) this.join(id, grant.id);
    const caller = callerOf('user', id, name, email);
    return this.store(this.bearers, 'copa_', {
      ...caller,
      user: { ...caller.user, principalType: person.principalType ?? 'user' },
      organizations: (person.organizations ?? []).map((grant) => organizationOf(grant, 'member')),
    });
  }

  /** Adds an organization without members. @returns its id */
  organization(id: string = randomUUID()): string {
    const key = id.toLowerCase();
    this.members.set(key, this.members.get(key) ?? new Set());
    return key;
  }

  /** Makes a person, with or without a token, a member. */
  join(userId: string, organizationId: string): void {
    this.members.get(this.organization(organizationId))?.add(userId);
  }

  leave(userId: string, organizationId: string): void {
    this.members.get(organizationId)?.delete(userId);
  }

  /** Adds a service principal. @returns its bearer token */
  service(automation: FakeAutomation): string {
    const { id = randomUUID(), name = 'Post suggester', organization } = automation;
    this.organization(organization.id);
    return this.store(this.bearers, 'cops_', {
      ...callerOf('service', id, name, null),
      organizations: [organizationOf(organization, 'service')],
    });
  }

  /** Adds an API key. @returns the key, to be sent as `X-Api-Key` */
  apiKey(automation: FakeAutomation): string {
    const { id = randomUUID(), name = 'Queue robot', organization } = automation;
    this.organization(organization.id);
    return this.store(this.keys, 'cop_live_', {
      ...callerOf('api_key', id, name, null),
      organizations: [organizationOf(organization, 'api_key')],
    });
  }

  /** Replaces the permissions of the token. */
  regrant(token: string, organizations: readonly FakeGrant[]): void {
    const caller = this.bearers.get(token);
    if (!caller) throw new Error('No such token.');
    const userId = caller.principal.id;
    for (const { id } of caller.organizations) this.leave(userId, id);
    for (const { id } of organizations) this.join(userId, id);
    const granted = organizations.map((grant) => organizationOf(grant, 'member'));
    this.bearers.set(token, { ...caller, organizations: granted });
  }

  /** The person of the token has another role on the platform from now on. */
  setPrincipalType(token: string, principalType: NonNullable<FakePerson['principalType']>): void {
    const caller = this.bearers.get(token);
    if (!caller) throw new Error('No such token.');
    this.bearers.set(token, { ...caller, user: { ...caller.user, principalType } });
  }

  /** The token or key stops working with the next request. */
  revoke(secret: string): void {
    this.bearers.delete(secret);
    this.keys.delete(secret);
  }

  /** Simulates an outage until `comeBack`. */
  goDown(): void {
    this.down = true;
  }

  comeBack(): void {
    this.down = false;
  }

  validate({ authorization, apiKey, service }: Credentials): Promise<ValidatedCaller | null> {
    this.validations += 1;
    if (this.down) return Promise.reject(new IdentityIsUnavailable());
    const id = this.serviceIds.get(service);
    if (!id) return Promise.reject(new IdentityIsUnavailable(new Error(`There is no service ${service}.`)));
    const requested = { id, slug: service };
    const bearer =
      authorization !== undefined ? (this.bearers.get(bearerToken(authorization) ?? '') ?? null) : undefined;
    const key = apiKey !== undefined ? (this.keys.get(apiKey) ?? null) : undefined;
    if (bearer === null || key === null) return Promise.resolve(null);
    const caller = bearer && key ? combineCredentials(bearer, key) : (bearer ?? key);
    return Promise.resolve(caller ? { ...structuredClone(caller), service: requested } : null);
  }

  findService(slug: string): Promise<RegisteredService | null> {
    if (this.down) return Promise.reject(new IdentityIsUnavailable());
    const surface = { surface_kind: 'application', surface_group: 'business', launchable: true };
    const id = this.serviceIds.get(slug);
    if (!id) return Promise.resolve(null);
    return Promise.resolve({
      id,
      slug,
      name: slug,
      ...surface,
      household_capable: false,
      supportedContexts: ['organization'],
    });
  }

  registration(slug: string): Promise<Registration | null> {
    if (this.down) return Promise.reject(new IdentityIsUnavailable());
    const id = this.serviceIds.get(slug);
    return Promise.resolve(id ? { id, slug } : null);
  }

  verifyAttribution(claimed: ClaimedAttribution): Promise<VerifiedAttribution> {
    if (this.down) return Promise.reject(new IdentityIsUnavailable());
    this.attributionChecks += 1;
    const { applicationId, organizationId = '', userId = '' } = claimed;
    const [slug] = [...this.serviceIds].find(([, id]) => id === applicationId) ?? [];
    const members = this.members.get(organizationId);
    return Promise.resolve({
      application: slug === undefined || applicationId === undefined ? null : { id: applicationId, slug },
      organizationExists: this.hasAllOrganizations || members !== undefined,
      isMember: members?.has(userId) ?? false,
    });
  }

  async permissionsOf(userId: string, authorization: string): Promise<PermissionPayload | null> {
    const caller = await this.validate({ authorization, service: 'social-publishing' });
    if (caller?.principal.id !== userId) return null;
    const scopes = new Set(caller.organizations.flatMap((organization) => organization.scopes));
    const effectivePermissions = [...scopes].map(
      (scope) => `${caller.service.id}.${scope.replace('.', ':')}`,
    );
    return { userId, effectivePermissions };
  }

  private store(callers: Map<string, FakeCaller>, prefix: string, caller: FakeCaller): string {
    const secret = prefix + randomBytes(24).toString('hex');
    callers.set(secret, caller);
    return secret;
  }
}
