import type { Route } from '../../wire/router.js';
import type { Payments } from '../payments.js';
import { apiRoute } from '../wire/api-route.js';
import { PaymentProblem } from '../wire/problems.js';
import { secretKeyIn } from '../wire/secret-key.js';

/** The account of the key (docs.stripe.com/api/accounts/retrieve). */
export const accountRoutes = (payments: Payments): Route[] => [
  apiRoute(payments, 'GET', '/account', ({ account, call, params }) => {
    params.done();
    const key = secretKeyIn(call) ?? '';
    if (account.restrictedKeys?.includes(key))
      throw new PaymentProblem(
        403,
        'invalid_request_error',
        `The provided key '${key.slice(0, 8)}********${key.slice(-4)}' does not have the required permissions for this endpoint.`,
      );
    const { id, name } = account;
    return { value: { id, object: 'account', business_profile: { name }, charges_enabled: true } };
  }),
];
