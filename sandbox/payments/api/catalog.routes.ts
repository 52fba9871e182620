import type { Route } from '../../wire/router.js';
import type { Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { Interval, Price, Product } from '../state/objects.js';
import { type ApiCall, apiRoute, type Outcome } from '../wire/api-route.js';
import type { Params } from '../wire/params.js';
import { invalid, missingParam, noSuch } from '../wire/problems.js';
import { listed } from './listed.js';

const INTERVALS: readonly Interval[] = ['day', 'week', 'month', 'year'];
const MAX_AMOUNT = 99_999_999;

export function catalogRoutes(payments: Payments): Route[] {
  const { products, prices } = payments;
  return [
    apiRoute(payments, 'POST', '/products', (call) => createProduct(payments, call)),
    apiRoute(payments, 'GET', '/products', (call) => listed(call, products, '/v1/products')),
    apiRoute(payments, 'GET', '/products/:id', ({ account, path }) => {
      const product = products.of(account.id, path('id'));
      if (!product) throw noSuch('product', path('id'), 'id', 404);
      return { value: product };
    }),
    apiRoute(payments, 'POST', '/prices', (call) => createPrice(payments, call)),
    apiRoute(payments, 'GET', '/prices', (call) => {
      const product = call.params.text('product');
      return listed(
        call,
        prices,
        '/v1/prices',
        (price) => product === undefined || price.product === product,
      );
    }),
    apiRoute(payments, 'GET', '/prices/:id', ({ account, path }) => {
      const price = prices.of(account.id, path('id'));
      if (!price) throw noSuch('price', path('id'), 'price', 404);
      return { value: price };
    }),
  ];
}

function createProduct(payments: Payments, caused: ApiCall): Outcome {
  const product = productIn(payments, caused.params);
  caused.params.done();
  return storeProduct(payments, caused, product);
}

function productIn(payments: Payments, params: Params): Product {
  const now = payments.now;
  return {
    id: newId('prod', 14),
    object: 'product',
    active: params.flag('active') ?? true,
    created: now,
    livemode: false,
    name: params.requiredText('name'),
    description: params.text('description') ?? null,
    metadata: params.metadata(),
    updated: now,
    type: 'service',
    images: [],
    default_price: null,
  };
}

function storeProduct(payments: Payments, caused: ApiCall, product: Product): Outcome {
  const { effect, line } = payments.effect(
    caused.call,
    caused.account,
    'product_created',
    product.id,
    product.name,
  );
  payments.products.put(caused.account.id, product, line);
  payments.emit(caused, 'product.created', product);
  return { value: product, effect };
}

function createPrice(payments: Payments, caused: ApiCall): Outcome {
  const { params, account, call } = caused;
  const product = params.text('product');
  const data = params.child('product_data');
  if (product !== undefined && data)
    throw invalid('You may only specify one of these parameters: product, product_data.', 'product');
  if (product === undefined && !data) throw missingParam('product');
  if (product !== undefined && !payments.products.of(account.id, product))
    throw noSuch('product', product, 'product');
  const added = data && productIn(payments, data);
  data?.done();
  const price = priceIn(payments, params, product ?? added?.id ?? '');
  params.done();
  if (added) storeProduct(payments, caused, added);
  const { effect, line } = payments.effect(call, account, 'price_created', price.id, price.product);
  payments.prices.put(account.id, price, line);
  payments.emit(caused, 'price.created', price);
  return { value: price, effect };
}

function priceIn(payments: Payments, params: Params, product: string): Price {
  const currency = params.requiredText('currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, 'currency');
  const amount = params.integer('unit_amount');
  if (amount === undefined) throw missingParam('unit_amount');
  if (amount > MAX_AMOUNT) throw invalid('Invalid integer', 'unit_amount', 'parameter_invalid_integer');
  const recurring = recurringIn(params.child('recurring'));
  return {
    id: newId('price'),
    object: 'price',
    active: params.flag('active') ?? true,
    billing_scheme: 'per_unit',
    created: payments.now,
    livemode: false,
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
