export { Alarm } from './alarm.js';
export { Clock, SystemClock } from './clock.js';
