export { FakeAi } from './fake-ai.js';
export { FakeEmail } from './fake-email.js';
export { FakeGateway } from './fake-gateway.js';
export { FakeIdentity } from './fake-identity.js';
export { type ServedIdentity, serveFakeIdentity } from './serve-fake-identity.js';
export { FakePayments } from './fake-payments.js';
