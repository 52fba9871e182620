import { aiWireContract } from '../support/ai-wire-contract.js';

const subject = {
  provider: 'openrouter',
  key: 'sk-or-sandbox-openrouter',
  model: 'openai/gpt-5.4-mini',
  imageModel: null,
  transcriptionModels: [],
  listsRetirement: false,
} as const;

aiWireContract(subject, 'directly');
aiWireContract(subject, 'through an AI gateway');
