export { SummarizeWorkspace, type WorkspaceSummary } from './queries/summarize-workspace.js';
