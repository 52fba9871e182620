import type { TaskFunction } from '../isolation/media-task.js';
import type { InspectionInput, InspectionResult } from './domain/inspection.types.js';
import { inspect } from './inspect.js';

export const run: TaskFunction<InspectionInput, InspectionResult> = inspect;
