import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { join, sep } from 'node:path'
import process from 'node:process'
import sqlite from 'node:sqlite'

/**
 * Loaded into Sotto before any other module. After a request for `path` arrives, it kills Sotto before the
 * `step`-th step that changes the data folder, or after the answer. SOTTO_TEST_KILL_STEP contains both
 * values. Standard error gets the step's name.
 *
 * Steps are the calls that change files, and those that commit or close a database. Other statements of a
 * transaction reach the disk only with its commit. The folder of the simulated service doesn't count.
 */
const { path, step: last } = JSON.parse(process.env['SOTTO_TEST_KILL_STEP'] ?? '{}')
const folder = `${process.env['SOTTO_DATA_DIR']}${sep}`
const simulated = join(folder, 'sandbox') + sep
let counting = false
let steps = 0

function die(name) {
  fs.writeSync(2, `killed before ${name}\n`)
  process.kill(process.pid, 'SIGKILL')
  // The signal may take effect a moment later.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
const counts = (file) =>
  counting && typeof file === 'string' && file.startsWith(folder) && !`${file}${sep}`.startsWith(simulated)
const isLast = (file) => counts(file) && ++steps === last
function step(call, file) {
  if (isLast(file)) die(`${call} ${file.slice(folder.length)}`)
}

const emit = Server.prototype.emit
Server.prototype.emit = function (event, ...rest) {
  const [request, response] = rest
  if (event === 'request' && request.url === path) {
    counting = true
    response.once('finish', () => die('the end'))
  }
  return emit.call(this, event, ...rest)
}

const files = new Map()
const writes = (flags) => typeof flags === 'string' && flags !== 'r'
for (const name of [
  'writeFileSync',
  'appendFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'copyFileSync',
  'truncateSync',
]) {
  const call = fs[name]
  fs[name] = (file, ...rest) => {
    step(name, file)
    return call(file, ...rest)
  }
}
const openSync = fs.openSync
fs.openSync = (file, flags, ...rest) => {
  if (writes(flags)) step('openSync', file)
  const descriptor = openSync(file, flags, ...rest)
  files.set(descriptor, file)
  return descriptor
}
const writeSync = fs.writeSync
fs.writeSync = (descriptor, ...rest) => {
  if (descriptor > 2) step('writeSync', files.get(descriptor))
  return writeSync(descriptor, ...rest)
}
for (const name of ['fsyncSync', 'ftruncateSync', 'closeSync']) {
  const call = fs[name]
  fs[name] = (descriptor, ...rest) => {
    step(name, files.get(descriptor))
    return call(descriptor, ...rest)
  }
}
for (const name of ['writeFile', 'appendFile', 'rename', 'rm', 'unlink', 'mkdir', 'copyFile', 'truncate']) {
  const call = fsPromises[name]
  fsPromises[name] = (file, ...rest) => {
    step(name, file)
    return call(file, ...rest)
  }
}
const handles = new WeakMap()
const open = fsPromises.open
fsPromises.open = async (file, flags, ...rest) => {
  if (writes(flags)) step('open', file)
  const handle = await open(file, flags, ...rest)
  handles.set(handle, file)
  return handle
}
const handle = await open(process.execPath, 'r')
const handlePrototype = Object.getPrototypeOf(handle)
await handle.close()
for (const name of ['write', 'sync', 'datasync', 'truncate']) {
  const call = handlePrototype[name]
  handlePrototype[name] = function (...rest) {
    step(name, handles.get(this))
    return call.apply(this, rest)
  }
}
const writeFile = handlePrototype.writeFile
handlePrototype.writeFile = async function (text, ...rest) {
  const file = handles.get(this)
  step('writeFile', file)
  if (isLast(file)) {
    await writeFile.call(this, text.slice(0, text.length / 2))
    die(`the second half of ${file.slice(folder.length)}`)
  }
  return writeFile.call(this, text, ...rest)
}
syncBuiltinESMExports()

/** Statements whose effect stays inside the connection. */
const READS = /^\s*(?:SELECT|BEGIN|SAVEPOINT|CREATE TEMP|PRAGMA(?! wal_checkpoint))\b/i
const COMMITS = /^\s*(?:COMMIT|RELEASE)\b/i
const { DatabaseSync, StatementSync } = sqlite
const databases = new WeakMap()
const nameOf = (sql) => sql.trim().split(/\s+/).slice(0, 3).join(' ')
function statement(database, sql) {
  if (!counting || (database.isTransaction ? !COMMITS.test(sql) : READS.test(sql))) return
  const file = database.location()
  if (counts(file)) step(nameOf(sql), file)
}
const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const prepared = prepare.call(this, sql, ...rest)
  databases.set(prepared, { database: this, sql })
  return prepared
}
for (const name of ['run', 'get', 'all', 'iterate']) {
  const call = StatementSync.prototype[name]
  StatementSync.prototype[name] = function (...rest) {
    const { database, sql } = databases.get(this)
    statement(database, sql)
    return call.apply(this, rest)
  }
}
const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function (sql) {
  statement(this, sql)
  return exec.call(this, sql)
}
const close = DatabaseSync.prototype.close
DatabaseSync.prototype.close = function () {
  if (counting) step('close', this.location())
  return close.call(this)
}
