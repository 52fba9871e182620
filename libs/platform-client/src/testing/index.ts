export { ALL_SCOPES, FakeIdentity } from './fake-identity.js';
export type { FakeAutomation, FakeGrant, FakePerson } from './fake-identity.js';
export { serveFakeIdentity } from './serve-fake-identity.js';
export type { ServedIdentity } from './serve-fake-identity.js';
