import type { Route } from '../../wire/router.js';
import type { Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { Customer, Metadata } from '../state/objects.js';
import { type ApiCall, apiRoute } from '../wire/api-route.js';
import { noSuch } from '../wire/problems.js';
import { listed } from './listed.js';

export function customerRoutes(payments: Payments): Route[] {
  const { customers } = payments;
  return [
    apiRoute(payments, 'POST', '/customers', (caused) => {
      const { params, account, call } = caused;
      const email = params.text('email') ?? null;
      const customer = newCustomer(payments, email, params.text('name') ?? null, params.metadata());
      params.done();
      const { effect, line } = payments.effect(call, account, 'customer_created', customer.id, email);
      customers.put(account.id, customer, line);
      payments.emit(caused, 'customer.created', customer);
      return { value: customer, effect };
    }),
    apiRoute(payments, 'GET', '/customers', (call) => {
      const email = call.params.text('email');
      const matches = (each: Customer): boolean => email === undefined || each.email === email;
      return listed(call, customers, '/v1/customers', (each) => !each.isDeleted && matches(each));
    }),
    apiRoute(payments, 'GET', '/customers/:id', ({ account, path }) => {
      const customer = customers.of(account.id, path('id'));
      return {
        value: customer?.isDeleted ? gone(customer) : theCustomer(payments, { account }, path('id'), 404),
      };
    }),
    apiRoute(payments, 'DELETE', '/customers/:id', (caused) => {
      const { account, call, path } = caused;
      const customer = theCustomer(payments, caused, path('id'), 404);
      const { effect, line } = payments.effect(call, account, 'customer_deleted', customer.id);
      customers.put(account.id, { ...customer, isDeleted: true }, line);
      payments.emit(caused, 'customer.deleted', customer);
      return { value: gone(customer), effect };
    }),
  ];
}

/** What the provider shows of a deleted customer. */
const gone = ({ id, object }: Customer) => ({ id, object, deleted: true });

export function newCustomer(
  { now }: Payments,
  email: string | null,
  name: string | null,
  metadata: Metadata,
): Customer {
  return {
    id: newId('cus', 14),
    object: 'customer',
    created: now,
    livemode: false,
    email,
    name,
    metadata,
    default_source: null,
  };
}

export function theCustomer(
  { customers }: Payments,
  { account }: Pick<ApiCall, 'account'>,
  id: string,
  status = 400,
): Customer {
  const customer = customers.of(account.id, id);
  if (!customer || customer.isDeleted) throw noSuch('customer', id, 'customer', status);
  return customer;
}
