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
});
