import { RememberedPlans } from './remembered-plans.js';

describe('plans that are remembered', () => {
  it('are read again with the prices of a model that a provider returned', () => {
    const plans = new RememberedPlans<string>();
    plans.set('key', 'row');
    expect([plans.rowOf('key'), plans.returnedOf('key')]).toEqual(['row', []]);
    plans.learnReturned('key', 'openai/b');
    expect(plans.rowOf('key')).toBeNull();
    plans.set('key', 'with b');
    plans.learnReturned('key', 'openai/b');
    expect(plans.rowOf('key')).toBe('with b');
    plans.learnReturned('key', 'openai/a');
    expect(plans.returnedOf('key')).toEqual(['openai/a', 'openai/b']);
  });

  it('learn a bounded number of names, and none that PostgreSQL cannot store', () => {
    const plans = new RememberedPlans<string>();
    for (const name of ['a\0b', 'é', 'x'.repeat(300)]) plans.learnReturned('key', `openai/${name}`);
    expect(plans.returnedOf('key')).toEqual([]);
    for (let number = 0; number < 100; number += 1) plans.learnReturned('key', `openrouter/${number}`);
    expect(plans.returnedOf('key').length).toBeLessThan(20);
    plans.set('key', 'row');
    plans.learnReturned('key', 'openrouter/one-more');
    expect(plans.rowOf('key')).toBe('row');
  });

  it('are dropped, the oldest first, before they fill the memory', () => {
    const plans = new RememberedPlans<string>();
    for (let number = 0; number < 5_000; number += 1) plans.set(`key ${number}`, 'row');
    expect([plans.rowOf('key 0'), plans.rowOf('key 4999')]).toEqual([null, 'row']);
  });

  it('are few when they are large', () => {
    const plans = new RememberedPlans<string>();
    const large = 'x'.repeat(1024 * 1024);
    const kept = () =>
      Array.from({ length: 100 }, (_, number) => plans.rowOf(`key ${number}`)).filter(Boolean);
    for (let number = 0; number < 100; number += 1) plans.set(`key ${number}`, large);
    expect(kept()).toHaveLength(31);
    expect(plans.rowOf('key 99')).toBe(large);
    for (let number = 0; number < 100; number += 1) plans.set('key 99', large);
    expect(kept()).toHaveLength(31);
    for (let number = 69; number < 100; number += 1) plans.forget(`key ${number}`);
    for (let number = 0; number < 20; number += 1) plans.set(`key ${number}`, large);
    expect(kept()).toHaveLength(20);
  });
});
