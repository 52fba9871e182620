import { nameOf, ofKind, selectedBy, variablesOf, workloadsOf } from './read.mjs';

/** Whether the policies and the Ingress let through what the product needs, and no pod is open to all others. */
export function problemsOfNetwork(manifests) {
  return [
    ...ofKind(manifests, 'NetworkPolicy').flatMap((policy) => problemsOfPolicy(policy, manifests)),
    ...ofKind(manifests, 'Deployment').flatMap((workload) => openPods(workload, manifests)),
    ...workloadsOf(manifests).flatMap((workload) => closedAddresses(workload, manifests)),
    ...ofKind(manifests, 'Ingress').flatMap((ingress) => problemsOfIngress(ingress, manifests)),
  ];
}

function problemsOfPolicy(policy, manifests) {
  const { podSelector, ingress = [] } = policy.body.spec;
  const selectors = [podSelector, ...ingress.flatMap(({ from }) => from.map((peer) => peer.podSelector))];
  return selectors
    .filter((selector) => selector && selectedBy(selector.matchLabels, manifests).length === 0)
    .map(({ matchLabels }) => `${nameOf(policy)} selects no pod: ${JSON.stringify(matchLabels)}.`);
}

/** A pod that no policy selects accepts every connection. */
function openPods(workload, manifests) {
  const policies = policiesOf(workload, manifests);
  return policies.length > 0 ? [] : [`${nameOf(workload)} is selected by no NetworkPolicy.`];
}

/** Addresses of Services here that a process is given, but that no policy lets it reach. */
function closedAddresses(workload, manifests) {
  return Object.entries(variablesOf(workload.container, manifests)).flatMap(([name, value]) => {
    if (!value.startsWith('http://')) return [];
    const { hostname, port } = new URL(value);
    const service = serviceNamed(hostname, manifests);
    const open = service?.body.spec.ports.find((one) => String(one.port) === port);
    if (!open || isLetIn(workload, service, open.targetPort, manifests)) return [];
    return [`${nameOf(workload)} sets ${name} to ${value}, but no NetworkPolicy lets it connect.`];
  });
}

function isLetIn(workload, service, port, manifests) {
  const [target] = selectedBy(service.body.spec.selector, manifests);
  if (target.body === workload.body) return true; // its own address, which others are told
  return policiesOf(target, manifests)
    .flatMap(({ body }) => body.spec.ingress ?? [])
    .filter(({ ports }) => ports.some((one) => one.port === port))
    .flatMap(({ from }) => from.filter(({ podSelector }) => podSelector))
    .some(({ podSelector }) =>
      selectedBy(podSelector.matchLabels, manifests).some(({ body }) => body === workload.body),
    );
}

function problemsOfIngress(ingress, manifests) {
  const { tls, rules } = ingress.body.spec;
  const certified = tls.flatMap(({ hosts }) => hosts);
  const withoutTls = rules
    .filter(({ host }) => !certified.includes(host))
    .map(({ host }) => `has no certificate for ${host}.`);
  const lost = rules
    .flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))
    .filter(({ name, port }) => {
      const ports = serviceNamed(name, manifests)?.body.spec.ports ?? [];
      // The port `management` is never public.
      return port.name !== 'http' || !ports.some((one) => one.name === port.name);
    })
    .map(({ name, port }) => `leads to ${name} ${port.name}, which is no public port of a Service here.`);
  return [...withoutTls, ...lost].map((problem) => `${nameOf(ingress)} ${problem}`);
}

const policiesOf = (workload, manifests) =>
  ofKind(manifests, 'NetworkPolicy').filter(({ body }) =>
    selectedBy(body.spec.podSelector.matchLabels, manifests).some((one) => one.body === workload.body),
  );

const serviceNamed = (name, manifests) =>
  ofKind(manifests, 'Service').find(({ body }) => body.metadata.name === name);
