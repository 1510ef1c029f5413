import type { Finding, Ticket } from '../../model/finding.ts';

/** What the request is called in logs: by the target, and by the run where that is another name or value. */
export function ticketIds({ requestIds, sentIds = {} }: Ticket): [name: string, value: string][] {
  const own = Object.entries(sentIds).filter(([name, value]) => requestIds[name] !== value);
  return [...Object.entries(requestIds), ...own.map(([name, value]): [string, string] => [`sent as ${name}`, value])];
}

/** When it was seen and what the request is called: what somebody looks up in a log. */
export function ticketTime(ticket: Ticket): string {
  return [ticket.at, ...ticketIds(ticket).map(([name, value]) => `${name}: ${value}`)].join(', ');
}

/** The ticket in lines of their own; none where a finding has no exchange to show. */
export function ticketLines({ ticket }: Pick<Finding, 'ticket'>): string[] {
  if (ticket === undefined) return [];
  return [`seen at: ${ticketTime(ticket)}`, ...(ticket.curl === null ? [] : [`repeat: ${ticket.curl}`])];
}
