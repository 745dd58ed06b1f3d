import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { FreshSystem, missingTool } from './system.ts'

/**
 * `npm run test:fresh-system`: the README's `npm ci && npm start` on a fresh Debian, as a user without rights, with each
 * Node.js that npm may run under. It downloads about 300 MB and takes some minutes for each version, so it isn't part of
 * `npm test`. `--keep` keeps the Debian for the next run, `--node 22` tries one version, and `--show` prints the lines.
 */
const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: ['20', '22', '24'] },
    keep: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(tmpdir(), 'sotto-fresh-system') },
  },
})
/** The lines before the addresses: a person has to find those without scrolling. */
const MAX_LINES = 20

const missing = missingTool()
if (missing !== null) console.warn(`The test of a fresh system is skipped: ${missing}.`)
else {
  const folder = resolve(values.folder)
  const system = new FreshSystem(folder)
  try {
    if (!existsSync(join(folder, 'etc', 'debian_version'))) system.install()
    for (const version of values.node) {
      const { node, npm } = system.installNode(version)
      const { lines, before, seconds, megabytes } = await system.startSotto()
      const fits = before >= 0 && before < MAX_LINES
      console.log(
        `Node.js ${node}, npm ${npm}: ${before < 0 ? 'no address' : `${String(before)} lines before the addresses`}, ${String(seconds)} s, ${String(megabytes)} MB in node_modules`,
      )
      if (!fits || values.show) console.log(lines.join('\n'))
      if (!fits) process.exitCode = 1
    }
  } finally {
    system.unmount()
    if (!values.keep) rmSync(folder, { recursive: true, force: true })
  }
}
