import {
  type Customer,
  type Interval,
  newCustomer,
  newId,
  type Price,
  type Product,
  wireObject,
} from '../state/objects.js';
import type { AccountCall, ApiCall, Outcome, Payments } from '../state/payments.js';
import type { Params } from '../wire/params.js';
import { invalid, missingParam, noSuch, PaymentProblem } from '../wire/problems.js';
import { secretKeyIn } from '../state/accounts.js';
import { type Handlers, listed } from './api-route.js';

const INTERVALS: readonly Interval[] = ['day', 'week', 'month', 'year'];
const MAX_AMOUNT = 99_999_999;

/** The account of the key, and what it sells to whom. */
export const catalogHandlers = ({ tables: { products, prices, customers } }: Payments): Handlers => ({
  'GET /account': showAccount,
  'POST /products': createProduct,
  'GET /products': (call) => listed(call, products),
  'GET /products/:id': (call) => ({ value: call.the(products, call.id, 'product', 'id', 404) }),
  'POST /prices': createPrice,
  'GET /prices': (call) => listed(call, prices, 'product'),
  'GET /prices/:id': (call) => ({ value: call.the(prices, call.id, 'price', 'price', 404) }),
  'POST /customers': createCustomer,
  'GET /customers': (call) => listed(call, customers, 'email'),
  'GET /customers/:id': (call) => {
    const customer = call.of(customers, call.id);
    return { value: customer?.isDeleted ? gone(customer) : customerOf(call, call.id, 404) };
  },
  'DELETE /customers/:id': (call) => {
    const customer = customerOf(call, call.id, 404);
    const { effect } = call.store(customers, { ...customer, isDeleted: true }, 'customer_deleted');
    call.emit('customer.deleted', customer);
    return { value: gone(customer), effect };
  },
});

function showAccount({ account, call, params }: ApiCall): Outcome {
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
}

function createProduct(call: ApiCall): Outcome {
  const product = productIn(call, call.params);
  call.params.done();
  return storeProduct(call, product);
}

const productIn = ({ now }: ApiCall, params: Params): Product => ({
  ...wireObject(newId('prod', 14), 'product', now),
  active: params.flag('active') ?? true,
  name: params.requiredText('name'),
  description: params.text('description') ?? null,
  metadata: params.metadata(),
  updated: now,
  type: 'service',
  images: [],
  default_price: null,
});

const storeProduct = (call: ApiCall, product: Product): Outcome =>
  call.store(call.tables.products, product, 'product_created', {
    text: product.name,
    event: 'product.created',
  });

function createPrice(call: ApiCall): Outcome {
  const { params, tables } = call;
  const product = params.text('product');
  const data = params.child('product_data');
  if (product !== undefined && data)
    throw invalid('You may only specify one of these parameters: product, product_data.', 'product');
  if (product === undefined && !data) throw missingParam('product');
  if (product !== undefined) call.the(tables.products, product, 'product', 'product');
  const added = data && productIn(call, data);
  data?.done();
  const price = priceIn(call, product ?? added?.id ?? '');
  params.done();
  if (added) storeProduct(call, added);
  return call.store(tables.prices, price, 'price_created', { text: price.product, event: 'price.created' });
}

function priceIn({ now, params }: ApiCall, product: string): Price {
  const currency = params.requiredText('currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, 'currency');
  const amount = params.integer('unit_amount');
  if (amount === undefined) throw missingParam('unit_amount');
  if (amount > MAX_AMOUNT) throw invalid('Invalid integer', 'unit_amount', 'parameter_invalid_integer');
  const recurring = recurringIn(params.child('recurring'));
  return {
    ...wireObject(newId('price'), 'price', now),
    active: params.flag('active') ?? true,
    billing_scheme: 'per_unit',
    currency,
    unit_amount: amount,
    unit_amount_decimal: String(amount),
    product,
    recurring,
    type: recurring ? 'recurring' : 'one_time',
    nickname: params.text('nickname') ?? null,
    lookup_key: null,
    metadata: params.metadata(),
  };
}

function recurringIn(params: Params | undefined): Price['recurring'] {
  if (!params) return null;
  const interval = params.choice('interval', INTERVALS);
  if (!interval) throw missingParam('recurring[interval]');
  const count = params.integer('interval_count', 1) ?? 1;
  params.done();
  return { interval, interval_count: count, usage_type: 'licensed' };
}

function createCustomer(call: ApiCall): Outcome {
  const { params, now, tables } = call;
  const text = params.text('email') ?? null;
  const customer = newCustomer(now, text, params.text('name') ?? null, params.metadata());
  params.done();
  return call.store(tables.customers, customer, 'customer_created', { text, event: 'customer.created' });
}

/** What the provider shows of a deleted customer. */
const gone = ({ id, object }: Customer) => ({ id, object, deleted: true });

/** @throws PaymentProblem also for a deleted customer */
export function customerOf(call: AccountCall, id: string, status = 400): Customer {
  const customer = call.of(call.tables.customers, id);
  if (!customer || customer.isDeleted) throw noSuch('customer', id, 'customer', status);
  return customer;
}
