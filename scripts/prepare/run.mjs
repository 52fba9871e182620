import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Problem } from './problem.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end and collects its output. Forwards signals, so that an interrupted start leaves nothing running.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let calledOff = false;
    forwardSignals(child, () => (calledOff = true));
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (calledOff) reject(new Problem('Stopped. The next start takes up from here.'));
      else resolve({ code: code ?? 1, output });
    });
  });
}

/**
 * Runs a program in the terminal of this process and forwards signals.
 * @returns {Promise<number>} its exit status, as in a shell
 */
export function runInForeground(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    forwardSignals(child);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

function forwardSignals(child, onSignal = () => {}) {
  const handOn = (signal) => {
    onSignal();
    // On Windows the console signals all processes, and kill ends a process at once.
    if (process.platform !== 'win32') child.kill(signal);
  };
  SIGNALS.forEach((name) => process.on(name, handOn));
  child.once('close', () => SIGNALS.forEach((name) => process.off(name, handOn)));
}
