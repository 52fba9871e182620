/** The name of an event for callers: `post` + `PostScheduled` → `post.scheduled`; a type without its subject as prefix keeps all words. */
export function kindOf(subjectType: string, eventType: string): string {
  const subject = words(subjectType);
  const event = words(eventType);
  const said = event.startsWith(`${subject}_`) ? event.slice(subject.length + 1) : event;
  return `${subject}.${said}`;
}

function words(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}
