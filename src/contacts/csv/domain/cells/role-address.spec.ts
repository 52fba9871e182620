import { isRoleAddress } from './role-address.js';

describe('a role address', () => {
  it.each([
    'info@example.com',
    'sales@example.com',
    'büro@example.at',
    'ucetni@example.cz',
    'ventas@example.es',
    'no-reply@example.com',
    'info+berlin@example.com',
    'sales.de@example.com',
    'office-wien@example.com',
    'info2@example.com',
    'it@example.com',
  ])('is %s', (address) => expect(isRoleAddress(address)).toBe(true));

  it.each([
    'jana@example.com',
    'jana+info@example.com',
    'jana.info@info.com',
    'it.smith@example.com',
    'informatik@example.com',
    'salesman@example.com',
    'info2024@example.com',
    '+info@example.com',
    'constructor@example.com',
  ])('is not %s', (address) => expect(isRoleAddress(address)).toBe(false));
});
