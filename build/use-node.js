import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * Makes the Node.js that the lockfile pins (build/node/package.json) the `node` of all npm scripts, by its
 * link in node_modules/.bin, which npm puts first on their PATH. npm 11 creates that link; npm 10 deletes
 * it again, together with the packages for other systems.
 *
 * Ends with one sentence if none is pinned for this system and the installed one is too old, instead of a
 * syntax error. It runs under any Node.js that npm runs under, so it's JavaScript and imports nothing else.
 */
const build = dirname(fileURLToPath(import.meta.url))
const modules = join(build, '..', 'node_modules')
const parse = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** The pinned executable for this system, if npm installed it. */
function findPinned() {
  for (const name of Object.keys(parse(join(build, 'node', 'package.json')).optionalDependencies)) {
    const manifest = join(modules, name, 'package.json')
    if (!existsSync(manifest)) continue
    const { os, cpu, bin } = parse(manifest)
    if (os === process.platform && cpu === process.arch) return join(modules, name, bin.node)
  }
  return undefined
}

/** @param {string} pinned an absolute path below node_modules */
function link(pinned) {
  const folder = join(modules, '.bin')
  const target = relative(folder, pinned)
  mkdirSync(folder, { recursive: true })
  if (process.platform === 'win32') {
    writeFileSync(join(folder, 'node.cmd'), `@"%~dp0\\${target}" %*\r\n`)
  } else {
    rmSync(join(folder, 'node'), { force: true })
    symlinkSync(target, join(folder, 'node'))
  }
}

/** Whether this is at least 24.15: the sources use `await using`, and package.json accepts no older 24. */
function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 15)
}

const pinned = findPinned()
if (pinned !== undefined) {
  if (realpathSync(process.execPath) !== realpathSync(pinned)) link(pinned)
} else if (!isNewEnough()) {
  process.stderr.write(
    `Running Sotto from a checkout needs Node.js 24.15 or newer; this is ${process.versions.node}. ` +
      '"npm ci" installs one for Linux, macOS and Windows on x64 and arm64; on other systems, install it yourself.\n',
  )
  process.exitCode = 1
}
