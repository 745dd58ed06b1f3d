#!/usr/bin/env node
'use strict'
/*
 * The installed command. It checks the version of Node.js, because an older one can't parse the built files and
 * refuses --disable-sigusr1 with "bad option". So this file has only syntax that every Node.js can parse.
 *
 * Then it restarts Node.js with that flag, which keeps the inspector closed (docs/decisions/0017). execve replaces the
 * process, so signals, the terminal and the exit code work as without a restart. Windows has no execve.
 */
var path = require('path')

/** The ranges of `engines` in package.json. */
var SUPPORTED = [
  { major: 22, minor: 22, patch: 2 },
  { major: 24, minor: 15, patch: 0, orLater: true },
]
var FLAG = '--disable-sigusr1'

function isSupported(version) {
  var parts = version.split('.').map(parseFloat)
  return SUPPORTED.some(function (from) {
    if (parts[0] !== from.major) return from.orLater === true && parts[0] > from.major
    return parts[1] > from.minor || (parts[1] === from.minor && parts[2] >= from.patch)
  })
}

function restart(args) {
  if (process.platform !== 'win32') process.execve(process.execPath, [process.execPath].concat(args))
  // The console sends Ctrl-C to both processes. The child decides when to end.
  process.on('SIGINT', function () {})
  var child = require('child_process').spawn(process.execPath, args, { stdio: 'inherit' })
  child.on('exit', function (code) {
    process.exitCode = code === null ? 1 : code
  })
}

function start() {
  var command = path.join(__dirname, '..', 'out', 'main', 'sotto.js')
  if (!isSupported(process.versions.node)) {
    process.stderr.write(
      'Sotto needs Node.js 24.15 or newer, or 22.22.2 or newer of version 22; this is ' +
        process.versions.node +
        '.\n',
    )
    process.exitCode = 1
  } else restart(process.execArgv.concat(FLAG, command, process.argv.slice(2)))
}

if (require.main === module) start()
module.exports = { isSupported: isSupported, SUPPORTED: SUPPORTED }
