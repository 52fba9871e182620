import { InspectDueFiles } from './inspect-due-files.worker.js';
import { InspectionClaims } from './inspection-claims.store.js';
import { InspectionResults } from './inspection-results.js';
import { InspectionMetrics } from './inspection.metrics.js';
import { Inspector } from './inspector.js';

/** What inspects uploaded files; in workers only. */
export const inspectionWorkers = [
  InspectionClaims,
  Inspector,
  InspectionResults,
  InspectionMetrics,
  InspectDueFiles,
];
