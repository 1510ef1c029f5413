import type { Finding, Ticket } from '../../model/finding.ts';

/** The ids of a request in logs: the target's, and the run's if it has another name or value. */
export function ticketIds({ requestIds, sentIds = {} }: Ticket): [name: string, value: string][] {
  const own = Object.entries(sentIds).filter(([name, value]) => requestIds[name] !== value);
  return [...Object.entries(requestIds), ...own.map(([name, value]): [string, string] => [`sent as ${name}`, value])];
}

/** What to look up in a log. */
export function ticketTime(ticket: Ticket): string {
  return [ticket.at, ...ticketIds(ticket).map(([name, value]) => `${name}: ${value}`)].join(', ');
}

/** Empty if a finding has no exchange. */
export function ticketLines({ ticket }: Pick<Finding, 'ticket'>): string[] {
  if (ticket === undefined) return [];
  return [`seen at: ${ticketTime(ticket)}`, ...(ticket.curl === null ? [] : [`repeat: ${ticket.curl}`])];
}
