import { aiWireContract } from '../support/ai-wire-contract.js';

const subject = {
  provider: 'openai',
  key: 'sk-sandbox-openai',
  model: 'gpt-4o-mini',
  imageModel: 'gpt-image-2',
  transcriptionModels: ['gpt-4o-transcribe', 'whisper-1'],
  listsRetirement: true,
} as const;

aiWireContract(subject, 'directly');
aiWireContract(subject, 'through an AI gateway');
