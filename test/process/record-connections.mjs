import { Socket as DatagramSocket } from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import net from 'node:net'
import process from 'node:process'
import { setImmediate } from 'node:timers'

/**
 * Loaded into a process before any other module. Writes the host of every connection that the process opens
 * to a file, a line each. Lets no connection leave this computer.
 */
const file = process.env['SOTTO_TEST_CONNECTIONS']
if (file === undefined) throw new Error('SOTTO_TEST_CONNECTIONS names no file')

/** @param {string} host @param {unknown} port */
const note = (host, port) =>
  appendFileSync(
    file,
    `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${String(port)}`}\n`,
  )
/** @param {string} host */
const stays = (host) => host === 'localhost' || host === '::1' || /^127\./.test(host)

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const [first] = args
  const options = Array.isArray(first)
    ? first[0]
    : typeof first === 'object'
      ? first
      : typeof first === 'number'
        ? { port: first, host: args[1] }
        : { path: first }
  // A socket of this machine's own, such as the keychain's.
  if (options.path !== undefined && options.port === undefined) return connect.apply(this, args)
  const host = String(options.host ?? 'localhost')
  note(host, options.port)
  if (stays(host)) return connect.apply(this, args)
  setImmediate(() =>
    this.destroy(Object.assign(new Error('nothing leaves this test'), { code: 'ECONNREFUSED' })),
  )
  return this
}

for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  const whole = dns[name]
  dns[name] = function (host, ...args) {
    if (!stays(host)) note(host)
    return whole.call(this, host, ...args)
  }
}

DatagramSocket.prototype.send = function (...args) {
  note(`datagram ${args.map(String).join(' ')}`)
  throw new Error('nothing leaves this test')
}
