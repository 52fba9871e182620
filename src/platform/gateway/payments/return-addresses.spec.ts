import type { PaymentsConfig } from './payments.config.js';
import { ReturnAddressIsNotAllowed } from './payments.errors.js';
import { ReturnAddresses } from './return-addresses.js';

const addresses = new ReturnAddresses({
  returnOrigins: 'https://app.example.com,http://127.0.0.1:3000',
} as PaymentsConfig);

describe('addresses to return to', () => {
  it.each([
    'https://app.example.com/done?session={CHECKOUT_SESSION_ID}',
    'https://APP.example.com:443/',
    'http://127.0.0.1:3000/x#y',
  ])('may be %s', (address) => expect(addresses.allowed('successUrl', address)).toBe(address));

  it.each([
    'https://app.example.com.evil.test/',
    'https://app.example.com@evil.test/',
    'https://user@app.example.com/',
    'http://app.example.com/',
    'https://app.example.com:8443/',
    'https:\\\\evil.test/',
    'https://app.example.com\\@evil.test/',
    '//app.example.com/',
    'javascript:alert(1)',
    ' https://app.example.com/',
    'https://app.example.com/\nx',
    '',
  ])('may not be %j', (address) =>
    expect(() => addresses.allowed('successUrl', address)).toThrow(ReturnAddressIsNotAllowed),
  );

  it('may be none without a list', () => {
    const none = new ReturnAddresses({} as PaymentsConfig);
    expect(() => none.allowed('successUrl', 'https://app.example.com/')).toThrow(ReturnAddressIsNotAllowed);
  });
});
