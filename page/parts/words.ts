export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  const parts = [
    days && `${days} d`,
    hours && `${hours} h`,
    minutes && `${minutes} min`,
    !days && !hours && `${whole % 60} s`,
  ];
  return parts.filter(Boolean).slice(0, 2).join(' ');
}

/** Date and time of an ISO 8601 text, without fractions of a second. */
export function moment(iso: string): string {
  return iso.replace('T', ' ').slice(0, 19);
}
