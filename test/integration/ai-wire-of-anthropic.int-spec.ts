import { aiWireContract } from '../support/ai-wire-contract.js';

const subject = {
  provider: 'anthropic',
  key: 'sk-ant-sandbox-anthropic',
  model: 'claude-opus-5-5',
  imageModel: null,
  transcriptionModels: [],
  listsRetirement: false,
  canBeEmpty: true,
} as const;

aiWireContract(subject, 'directly');
aiWireContract(subject, 'through an AI gateway');
