import type { Finding, Ticket } from '../../model/finding.ts';

/** When it was seen and what the target calls the request: what somebody looks up in a log. */
export function ticketTime({ at, requestIds }: Ticket): string {
  return [at, ...Object.entries(requestIds).map(([name, value]) => `${name}: ${value}`)].join(', ');
}

/** The ticket in lines of their own; none where a finding has no exchange to show. */
export function ticketLines({ ticket }: Pick<Finding, 'ticket'>): string[] {
  if (ticket === undefined) return [];
  return [`seen at: ${ticketTime(ticket)}`, ...(ticket.curl === null ? [] : [`repeat: ${ticket.curl}`])];
}
