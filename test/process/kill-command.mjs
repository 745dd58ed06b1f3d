import fs from 'node:fs'
import { Server, ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

/**
 * Loaded into a command before anything else: ends it, as kill -9 does, where it comes to what SOTTO_TEST_KILL_AT says. The service of such a
 * command is the sandbox, which is in the same process and keeps its ledger on the disk: what it did stays done.
 *
 * `read`: half of a file that is handed over has been read. `asked`: a request has reached the service. `did`: the service has done it,
 * and is about to say so. `said`: it has said so. The last three are of the `times`-th such request: by its method and the beginning of
 * its path, and where `paid` says so of those alone that come with a proof of payment.
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
  Server.prototype.emit = function (event, ...words) {
    if (event === 'request' && isMeant(words[0]) && ++seen === times) die()
    return emit.call(this, event, ...words)
  }
}
if (at === 'did' || at === 'said') {
  const writeHead = ServerResponse.prototype.writeHead
  ServerResponse.prototype.writeHead = function (status, ...words) {
    if (status < 300 && isMeant(this.req) && ++seen === times) {
      if (at === 'did') die()
      this.once('finish', die)
    }
    return writeHead.call(this, status, ...words)
  }
}
