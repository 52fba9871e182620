export { SummarizeWorkspace } from './queries/summarize-workspace.js';
export type { WorkspaceSummary } from './queries/summarize-workspace.js';
