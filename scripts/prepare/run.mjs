import { spawn } from 'node:child_process';
import { Problem } from './problem.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end and keeps what it says. A signal to us is handed on, so that nothing keeps running
 * behind a start that was called off.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let calledOff = false;
    const handOn = (signal) => {
      calledOff = true;
      child.kill(signal);
    };
    SIGNALS.forEach((signal) => process.on(signal, handOn));
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      SIGNALS.forEach((name) => process.off(name, handOn));
      if (calledOff) reject(new Problem('Stopped. The next start takes up from here.'));
      else resolve({ code: code ?? 1, output });
    });
  });
}
