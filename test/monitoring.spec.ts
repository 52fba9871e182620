import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const ALERTS = 'deploy/monitoring/alerts.yaml';
const DASHBOARD = 'deploy/monitoring/dashboard.json';

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

/** Of Prometheus itself, and of the default metrics of prom-client. */
const METRICS_OF_OTHERS = ['up', 'process_resident_memory_bytes'];
const WORDS = /^(sum|max|by|rate|increase|histogram_quantile)$/;

const rules = (parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const panels = (
  JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: { title: string; targets: { expr: string }[] }[] }
).panels;

/** Names of metrics in an expression, without the suffixes of a histogram's series. */
const metricsIn = (expression: string): string[] =>
  expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ')
    .match(/[a-z_]{2,}/g)!
    .filter((word) => !WORDS.test(word))
    .map((name) => name.replace(/_(bucket|count)$/, ''));

const source = globSync('{src,libs}/**/*.ts', { exclude: ['**/*.spec.ts'] })
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const isOfTheProduct = (name: string): boolean =>
  METRICS_OF_OTHERS.includes(name) || source.includes(`'${name}'`);

describe('The alert rules and the dashboard', () => {
  it('use metrics that the product has', () => {
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const used = expressions.flatMap(metricsIn);
    expect(used.length).toBeGreaterThan(25);
    expect(used.filter((name) => !isOfTheProduct(name))).toEqual([]);
    expect(isOfTheProduct('posts_forgotten')).toBe(false);
  });

  it('have one rule for each name and one panel for each title', () => {
    const names = [...rules.map(({ alert }) => alert), ...panels.map(({ title }) => title)];
    expect(new Set(names).size).toBe(names.length);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  (hasPromtool ? it : it.skip)('are rules that Prometheus accepts', () => {
    expect(execFileSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' })).toMatch(
      new RegExp(`SUCCESS: ${rules.length} rules found`),
    );
  });
});
