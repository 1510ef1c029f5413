/** Numbers connections from 1, or from the number after `last`. */
export function numberConnections(last = 0): (socket: object) => number {
  const known = new WeakMap<object, number>();
  let latest = last;
  return (socket) => {
    const number = known.get(socket) ?? latest + 1;
    known.set(socket, number);
    latest = Math.max(latest, number);
    return number;
  };
}
