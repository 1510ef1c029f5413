// Each entry that needs a newer Node reports it.
for (const entry of ['', '/client/node']) {
  const said = await import(`banking-api-contract${entry}`).then(() => 'nothing', String);
  const expected = `banking-api-contract needs Node 22.19 or newer; this is ${process.version} `;
  if (!said.includes(expected)) throw new Error(`banking-api-contract${entry} says: ${said}`);
}
