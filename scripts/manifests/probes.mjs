import { readFileSync } from 'node:fs';
import { exampleDefaults } from './processes.mjs';
import { nameOf, ofKind, variablesOf } from './read.mjs';

const CONTROLLER = 'libs/health/src/health.controller.ts';
const SERVICE = 'libs/http/src/service/running-service.ts';
const PATHS = { startupProbe: '/healthz', livenessProbe: '/healthz', readinessProbe: '/readyz' };
/** Seconds for the modules to stop after the requests. */
const MARGIN_S = 10;

/** Whether probes use existing routes, and the grace period is long enough for a shutdown. */
export function problemsOfProbes(manifests) {
  const served = [...readFileSync(CONTROLLER, 'utf8').matchAll(/@Get\('(\w+)'\)/g)].map(
    ([, path]) => `/${path}`,
  );
  return ofKind(manifests, 'Deployment').flatMap((manifest) => {
    const { spec } = manifest.body.spec.template;
    const [container] = spec.containers;
    const problems = [...problemsOfPaths(container, served), ...problemsOfTimes(spec, container, manifests)];
    return problems.map((problem) => `${nameOf(manifest)} ${problem}`);
  });
}

function problemsOfPaths(container, served) {
  return Object.entries(PATHS).flatMap(([probe, expected]) => {
    const { path, port } = container[probe].httpGet;
    const problems = [];
    if (!served.includes(path)) problems.push(`has a ${probe} for ${path}, which nothing serves.`);
    else if (path !== expected) problems.push(`has a ${probe} for ${path}; it must ask ${expected}.`);
    if (port !== 'management') problems.push(`has a ${probe} on the port ${port}; probes are on management.`);
    return problems;
  });
}

function problemsOfTimes(spec, container, manifests) {
  const { SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS } = {
    ...exampleDefaults(),
    ...variablesOf(container, manifests),
  };
  const isBalanced = container.ports.some(({ name }) => name === 'http');
  const delay = Number(SHUTDOWN_DELAY_MS || (isBalanced ? defaultDelayMs() : 0)) / 1_000;
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  const [, stop] = container.lifecycle.preStop.exec.command;
  const needed = Number(stop) + delay + Number(SHUTDOWN_GRACE_MS) / 1_000 + MARGIN_S;
  const notices = periodSeconds * failureThreshold;
  const problems = [];
  if (isBalanced && notices >= delay)
    problems.push(`notices after ${notices} s that readiness is off, but the process ends after ${delay} s.`);
  // NaN where preStop is no "sleep <seconds>".
  if (!(spec.terminationGracePeriodSeconds >= needed))
    problems.push(`has ${spec.terminationGracePeriodSeconds} s to end, but needs ${needed} s.`);
  return problems;
}

function defaultDelayMs() {
  const [, delay = ''] = /BALANCER_DELAY_MS = ([\d_]+)/.exec(readFileSync(SERVICE, 'utf8')) ?? [];
  return delay.replaceAll('_', '');
}
