import { readFileSync } from 'node:fs';
import { nameOf, ofKind, selectedBy, variablesOf, workloadsOf } from './read.mjs';

/** Whether references between manifests resolve. */
export function problemsOfReferences(manifests) {
  return [
    ...workloadsOf(manifests).flatMap((workload) => missingSources(workload, manifests)),
    ...workloadsOf(manifests).flatMap((workload) => problemsOfAddresses(workload, manifests)),
    ...ofKind(manifests, 'Service').flatMap((service) => problemsOfService(service, manifests)),
    ...ofKind(manifests, 'Deployment').flatMap((deployment) => problemsOfDeployment(deployment, manifests)),
    ...ofKind(manifests, 'HorizontalPodAutoscaler').flatMap(problemsOfMetrics),
  ];
}

function missingSources(workload, manifests) {
  const names = (kind) => ofKind(manifests, kind).map(({ body }) => body.metadata.name);
  return workload.container.envFrom
    .filter(({ configMapRef, secretRef }) =>
      configMapRef
        ? !names('ConfigMap').includes(configMapRef.name)
        : !names('Secret').includes(secretRef.name),
    )
    .map((source) => `${nameOf(workload)} names a source that is not here: ${JSON.stringify(source)}`);
}

/** Addresses with http lead to a Service here, and are listed as such. */
function problemsOfAddresses(workload, manifests) {
  const set = variablesOf(workload.container, manifests);
  const listed = (set.IN_CLUSTER_HTTP_HOSTS ?? '').split(',').map((host) => host.trim());
  return Object.entries(set).flatMap(([name, value]) => {
    if (!value.startsWith('http://')) return [];
    const { hostname, port } = new URL(value);
    const problems = [];
    if (!listed.includes(hostname)) problems.push(`${hostname} is not in IN_CLUSTER_HTTP_HOSTS`);
    const service = ofKind(manifests, 'Service').find(({ body }) => body.metadata.name === hostname);
    if (!service?.body.spec.ports.some((open) => String(open.port) === port))
      problems.push(`no Service ${hostname} has the port ${port}`);
    return problems.map((problem) => `${nameOf(workload)} sets ${name} to ${value}, but ${problem}.`);
  });
}

function problemsOfService(service, manifests) {
  const { selector, ports } = service.body.spec;
  const selected = selectedBy(selector, manifests);
  if (selected.length !== 1) return [`${nameOf(service)} selects ${selected.length} workloads.`];
  const open = selected[0].container.ports ?? [];
  return ports
    .filter(
      ({ port, targetPort }) => !open.some((one) => one.name === targetPort && one.containerPort === port),
    )
    .map(
      ({ port, targetPort }) =>
        `${nameOf(service)} leads to ${targetPort} ${port}, which its pods do not open.`,
    );
}

function problemsOfDeployment(deployment, manifests) {
  const { spec, metadata } = deployment.body;
  const isSelf = ({ body }) => body === deployment.body;
  const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ body }) =>
    selectedBy(body.spec.selector.matchLabels, manifests).some(isSelf),
  );
  const scalers = ofKind(manifests, 'HorizontalPodAutoscaler').filter(
    ({ body }) => body.spec.scaleTargetRef.name === metadata.name,
  );
  const problems = [];
  if (!selectedBy(spec.selector.matchLabels, manifests).some(isSelf))
    problems.push('does not select its own pods.');
  if (budgets.length !== 1) problems.push(`has ${budgets.length} PodDisruptionBudgets; it needs one.`);
  if ((spec.replicas === undefined) !== (scalers.length === 1))
    problems.push('needs either replicas or a HorizontalPodAutoscaler.');
  return problems.map((problem) => `${nameOf(deployment)} ${problem}`);
}

function problemsOfMetrics(scaler) {
  const readme = readFileSync('docs/operations.md', 'utf8');
  return scaler.body.spec.metrics
    .map(({ external }) => external.metric.name)
    .filter((name) => !readme.includes(`\`${name}\``))
    .map((name) => `${nameOf(scaler)} follows the metric ${name}, which docs/operations.md does not list.`);
}
