import { spawn } from 'node:child_process';
import { constants } from 'node:os';
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
    handOnSignals(child, () => (calledOff = true));
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
 * Runs a program in our place: it has our terminal and is told our signals.
 * @returns {Promise<number>} its exit status, as a shell says it
 */
export function giveWayTo(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    handOnSignals(child);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

function handOnSignals(child, told = () => {}) {
  const handOn = (signal) => {
    told();
    // There the console tells them all, and to kill is to end at once.
    if (process.platform !== 'win32') child.kill(signal);
  };
  SIGNALS.forEach((name) => process.on(name, handOn));
  child.once('close', () => SIGNALS.forEach((name) => process.off(name, handOn)));
}
