import type { Finding, Ticket } from '../../model/finding.ts';

/** The time and the ids of a request, for a search in logs. The run's own ids appear only if the target has others. */
export function ticketTime({ at, requestIds, sentIds = {} }: Ticket): string {
  const own = Object.entries(sentIds).filter(([name, value]) => requestIds[name] !== value);
  return [
    at,
    ...Object.entries(requestIds).map(([name, value]) => `${name}: ${value}`),
    ...own.map(([name, value]) => `sent as ${name}: ${value}`),
  ].join(', ');
}

export function ticketLines({ ticket }: Pick<Finding, 'ticket'>): string[] {
  if (ticket === undefined) return [];
  return [`seen at: ${ticketTime(ticket)}`, ...(ticket.curl === null ? [] : [`repeat: ${ticket.curl}`])];
}
