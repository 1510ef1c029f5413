/**
 * What runs inside Redis, so that it is atomic. Of each tenant there are a hash of its records, a sorted set that says by which
 * version each was changed last, and a hash with the version itself and the one with which the tenant began (after a reset it begins anew).
 */

/** KEYS: meta, records, changes. ARGV: born, version. Answers born and version, and what was changed since. */
export const READ = `
local meta = redis.call('HMGET', KEYS[1], 'born', 'version')
if not meta[1] then return {'0', '0'} end
if meta[1] == ARGV[1] and meta[2] == ARGV[2] then return {meta[1], meta[2]} end
local since = '0'
if meta[1] == ARGV[1] then since = ARGV[2] end
local names = redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. since, '+inf')
local bodies = {}
for i, name in ipairs(names) do bodies[i] = redis.call('HGET', KEYS[2], name) or '' end
return {meta[1], meta[2], names, bodies}
`;

/** KEYS: meta, records, changes, clock. ARGV: born, version, then names and bodies in turn. Answers born and version, or nothing where another was faster. */
export const WRITE = `
local meta = redis.call('HMGET', KEYS[1], 'born', 'version')
if (meta[1] or '0') ~= ARGV[1] or (meta[2] or '0') ~= ARGV[2] then return {} end
local version = string.format('%d', redis.call('INCR', KEYS[4]))
local born = meta[1] or version
redis.call('HSET', KEYS[1], 'born', born, 'version', version)
for i = 3, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[2], ARGV[i]) else redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
  redis.call('ZADD', KEYS[3], version, ARGV[i])
end
return {born, version}
`;

/** KEYS: clock. Answers 1 where it is a clock, or not there yet. */
export const CLOCK = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return 1 end
if kind ~= 'string' then return 0 end
if string.match(redis.call('GET', KEYS[1]), '^%d+$') then return 1 end
return 0
`;
