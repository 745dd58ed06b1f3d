import fs from 'node:fs'
import { Server, ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

/**
 * Loaded into a command before any other module. It ends the command, as `kill -9` does, at the point in
 * SOTTO_TEST_KILL_AT. The service of such a command is the sandbox, in the same process. The sandbox stores
 * its ledger on disk, so a kill undoes none of its actions.
 *
 * `read`: half of an uploaded file has been read. `asked`: a request has reached the service. `did`: the
 * service has processed the request, and is about to respond. `said`: it has responded. The last three apply
 * to the `times`-th such request, matched by its method and the beginning of its path. With `paid`, only
 * requests with a proof of payment count.
 */
const {
  at,
  method,
  path = '',
  times = 1,
  paid = false,
} = JSON.parse(process.env['SOTTO_TEST_KILL_AT'] ?? '{}')
const die = () => process.kill(process.pid, 'SIGKILL')

if (at === 'read') {
  const whole = fs.createReadStream
  fs.createReadStream = (name, options) => {
    const stream = whole(name, options)
    const half = fs.statSync(name).size / 2
    const pieces = stream[Symbol.asyncIterator].bind(stream)
    stream[Symbol.asyncIterator] = async function* () {
      let read = 0
      for await (const piece of pieces()) {
        read += piece.length
        if (read >= half) die()
        yield piece
      }
    }
    return stream
  }
  syncBuiltinESMExports()
}

/** @param {import('node:http').IncomingMessage} request */
const isMeant = (request) =>
  request.method === method &&
  request.url?.startsWith(path) === true &&
  (!paid || /^(?:L402|Payment) /.test(request.headers.authorization ?? ''))
let seen = 0

if (at === 'asked') {
  const emit = Server.prototype.emit
  Server.prototype.emit = function (event, ...args) {
    if (event === 'request' && isMeant(args[0]) && ++seen === times) die()
    return emit.call(this, event, ...args)
  }
}
if (at === 'did' || at === 'said') {
  const writeHead = ServerResponse.prototype.writeHead
  ServerResponse.prototype.writeHead = function (status, ...args) {
    if (status < 300 && isMeant(this.req) && ++seen === times) {
      if (at === 'did') die()
      this.once('finish', die)
    }
    return writeHead.call(this, status, ...args)
  }
}
