import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Agents as they are published; some fetch the program of this platform in a script of their own. */
const packages = {
  '@openai/codex': { version: '0.169.0', script: undefined },
  'opencode-ai': { version: '1.18.33', script: 'postinstall.mjs' },
  '@anthropic-ai/claude-code': { version: '2.1.330', script: 'install.cjs' },
} as const

/** Installs them into a folder of their own, which is kept for the next time. Returns that folder's `.bin`. */
export async function installAgents(): Promise<string> {
  const wanted = Object.entries(packages).map(([name, { version }]) => `${name}@${version}`)
  const folder = join(tmpdir(), `sotto-agents-${Object.values(packages).map(({ version }) => version).join('-')}`)
  const bin = join(folder, 'node_modules', '.bin')
  const ready = join(folder, 'ready')
  if (await access(ready).then(() => true, () => false)) return bin
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], { cwd: folder, maxBuffer: 1 << 24 })
  for (const [name, { script }] of Object.entries(packages)) {
    if (script !== undefined) await run(process.execPath, [script], { cwd: join(folder, 'node_modules', name), maxBuffer: 1 << 24 })
  }
  await writeFile(ready, '')
  return bin
}
