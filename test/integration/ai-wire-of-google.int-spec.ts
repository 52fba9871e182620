import { aiWireContract } from '../support/ai-wire-contract.js';

const subject = {
  provider: 'google',
  key: 'AIza-sandbox-google',
  model: 'gemini-3.5-flash',
  imageModel: 'gemini-3.1-flash-image',
  transcriptionModels: [],
  listsRetirement: false,
  refusals: { 'quota-exhausted': 'rate' },
} as const;

aiWireContract(subject, 'directly');
aiWireContract(subject, 'through an AI gateway');
