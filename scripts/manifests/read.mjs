import { globSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

export const FOLDER = 'deploy/kubernetes';

/** @returns {{ file: string, body: any, problems: string[] }[]} every document of every file, in the order of their names */
export function readManifests() {
  return globSync(`${FOLDER}/**/*.yaml`)
    .sort()
    .flatMap((file) =>
      parseAllDocuments(readFileSync(file, 'utf8')).map((document) => ({
        file,
        body: document.toJS(),
        problems: [...document.errors, ...document.warnings].map(({ message }) => message.split('\n')[0]),
      })),
    );
}

export const nameOf = ({ file, body }) => `${file}: ${body.kind} ${body.metadata.name}`;

export const ofKind = (manifests, ...kinds) => manifests.filter(({ body }) => kinds.includes(body.kind));

/** Deployments and Jobs, each with its only container. */
export const workloadsOf = (manifests) =>
  ofKind(manifests, 'Deployment', 'Job').map((manifest) => ({
    ...manifest,
    pod: manifest.body.spec.template.spec,
    container: manifest.body.spec.template.spec.containers[0],
  }));

/** The Deployments whose pods a selector finds. */
export const selectedBy = (selector, manifests) =>
  workloadsOf(manifests).filter(({ body }) => {
    const { labels } = body.spec.template.metadata;
    return Object.entries(selector).every(([name, value]) => labels[name] === value);
  });

/** Variables of a container with their values; those of Secrets are empty here. */
export function variablesOf(container, manifests) {
  const named = (kind, name) => ofKind(manifests, kind).find(({ body }) => body.metadata.name === name)?.body;
  const sources = container.envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef ? named('ConfigMap', configMapRef.name)?.data : named('Secret', secretRef.name)?.stringData,
  );
  const own = (container.env ?? []).map(({ name, value }) => [name, value]);
  return { ...Object.assign({}, ...sources), ...Object.fromEntries(own) };
}
