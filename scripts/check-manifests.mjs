import { problemsOfCompose } from './manifests/compose.mjs';
import { readManifests } from './manifests/read.mjs';
import { problemsOfNetwork } from './manifests/network.mjs';
import { problemsOfProcesses } from './manifests/processes.mjs';
import { problemsOfProbes } from './manifests/probes.mjs';
import { problemsOfReferences } from './manifests/references.mjs';
import { problemsOfSchemas } from './manifests/schemas.mjs';

/**
 * npm run check:manifests: compares deploy/kubernetes with its schemas, and with the variables, ports, commands, paths and
 * delays of the product. Run in the folder of the repository. Prints one line per problem.
 */
const manifests = readManifests();
const invalid = problemsOfSchemas(manifests);
// The other checks require valid schemas.
const problems =
  invalid.length > 0
    ? invalid
    : [problemsOfReferences, problemsOfProcesses, problemsOfProbes, problemsOfNetwork].flatMap((problemsOf) =>
        problemsOf(manifests),
      );
problems.push(...problemsOfCompose());
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${manifests.length} Kubernetes manifests are valid.`);
process.exitCode = problems.length === 0 ? 0 : 1;
